# Copyright 2026 The vouch authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Drive headless Chromium through chromedriver (W3C WebDriver), with the standard library alone."""

import json
import re
import shutil
import subprocess
import urllib.error
import urllib.request

import pytest

OPTIONS = [
    '--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--hide-scrollbars', '--no-first-run',
    '--disable-background-networking', '--disable-component-update']
# Whatever proxy the environment names, this machine is not behind it.
LOCAL = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Browser:
    """One window."""

    def __init__(self, size=(1440, 900), more=()):
        self.driver = subprocess.Popen(
            [shutil.which('chromedriver'), '--port=0'], stdout=subprocess.PIPE, text=True)
        try:
            self.begin(size, more)
        except BaseException:
            self.driver.kill()
            self.driver.wait(20)
            raise

    def begin(self, size, more):
        port = None
        for line in self.driver.stdout:
            port = re.search(r'started successfully on port (\d+)', line)
            if port:
                break
        assert port, 'chromedriver did not start'
        self.base = f'http://127.0.0.1:{port.group(1)}'
        session = self.call('POST', '/session', {'capabilities': {'alwaysMatch': {
            'browserName': 'chrome',
            'goog:chromeOptions': {
                'args': [*OPTIONS, f'--window-size={size[0]},{size[1]}', *more],
                'binary': shutil.which('chromium')},
            'goog:loggingPrefs': {'browser': 'ALL', 'performance': 'ALL'}}}})
        self.base += f'/session/{session["sessionId"]}'

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, data, {'Content-Type': 'application/json'}, method=method)
        try:
            with LOCAL.open(request, timeout=60) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise AssertionError(f'{path}: {error.read().decode()[:2000]}') from error

    def open(self, path):
        """Open a file and wait for its scripts; returns the URLs that were asked for meanwhile."""
        self.logs('performance')
        self.logs('browser')
        self.call('POST', '/url', {'url': path.resolve().as_uri()})
        for _ in range(100):
            if self.run('return document.documentElement.dataset.ready === "yes"'):
                break
            self.run_async('setTimeout(arguments[0], 50)')
        # Whatever is loaded late is loaded by now.
        self.run_async('setTimeout(arguments[0], 200)')
        urls = []
        for entry in self.logs('performance'):
            message = json.loads(entry['message'])['message']
            if message['method'] == 'Network.requestWillBeSent':
                urls.append(message['params']['request']['url'])
        return urls

    def logs(self, kind):
        return self.call('POST', '/se/log', {'type': kind})

    def errors(self):
        """What the console complains about since the last call."""
        return [entry['message'] for entry in self.logs('browser')
                if entry['level'] in ('SEVERE', 'WARNING')]

    def run(self, script, *arguments):
        return self.call('POST', '/execute/sync', {'script': script, 'args': list(arguments)})

    def run_async(self, script, *arguments):
        return self.call('POST', '/execute/async', {'script': script, 'args': list(arguments)})

    def click(self, selector):
        found = self.call('POST', '/element', {'using': 'css selector', 'value': selector})
        self.call('POST', f'/element/{next(iter(found.values()))}/click', {})

    def text(self, selector):
        return self.run('return document.querySelector(arguments[0]).textContent', selector)

    def close(self):
        try:
            self.call('DELETE', '')
        finally:
            self.driver.terminate()
            self.driver.wait(20)
            self.driver.stdout.close()


def require():
    """Skip the test, loudly, where there is no browser."""
    if not shutil.which('chromium') or not shutil.which('chromedriver'):
        pytest.skip('chromium and chromedriver are not installed (tools/setup does that)')


@pytest.fixture(scope='module')
def browser():
    require()
    window = Browser()
    yield window
    window.close()
