#include <stdio.h>

#include <vouch/vouch.h>

int main(void)
{
  const vouch_verdict_t verdict = VOUCH_UNDECIDED;
  printf("vouch %s says %s\n", vouch_version(), vouch_verdict_name(verdict));
  return vouch_error()[0] == '\0' ? 0 : 1;
}
