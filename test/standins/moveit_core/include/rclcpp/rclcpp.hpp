// Copyright 2026 The vouch authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for a header of that name in the test of the response adapter: what the adapter calls, and no more.
#pragma once

#include <any>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace rclcpp
{

class Logger
{
public:
  Logger get_child(const std::string &) const {return *this;}
};

template<typename Message>
class Publisher
{
public:
  using SharedPtr = std::shared_ptr<Publisher>;
  void publish(const Message & message) {published.push_back(message);}
  std::vector<Message> published;
};

class Node
{
public:
  using SharedPtr = std::shared_ptr<Node>;
  Logger get_logger() const {return Logger();}
  template<typename T>
  bool get_parameter_or(const std::string & name, T & value, const T & fallback) const
  {
    const auto found = parameters.find(name);
    value = found != parameters.end() ? std::any_cast<T>(found->second) : fallback;
    return found != parameters.end();
  }
  template<typename Message>
  typename Publisher<Message>::SharedPtr create_publisher(const std::string &, int)
  {
    auto made = std::make_shared<Publisher<Message>>();
    publisher = made;
    return made;
  }
  std::map<std::string, std::any> parameters;
  std::shared_ptr<void> publisher;
};

}  // namespace rclcpp

#define RCLCPP_ERROR(logger, ...) do {(void)(logger); std::printf(__VA_ARGS__); std::puts("");} while (0)
