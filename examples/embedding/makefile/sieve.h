/* sieve.h: the primes of a range. */
#ifndef SIEVE_H
#define SIEVE_H

/* How many primes there are in first .. last - 1. */
int primes_between(int first, int last);

#endif
