/*
 * Bugs on purpose, to prove that the fuzzers find what they are there for. PLANTED(n) marks the
 * place of bug n of fuzz/proof/plants.def. It is 0, and so nothing at all, but in a build with
 * SPILLWAY_PLANTS, where the environment says which bug is there.
 */
#ifndef SPILLWAY_CODECS_PLANTED_H
#define SPILLWAY_CODECS_PLANTED_H

#ifdef SPILLWAY_PLANTS
extern int spillway_plant;
#define PLANTED(n) (spillway_plant == (n))
#else
#define PLANTED(n) 0
#endif

#endif
