import { describe, test } from '@jest/globals';
import { isEmbedded } from './test-database.ts';

/** A test of the embedded store itself, its files or its lock: skipped when the tests run on MongoDB. */
export const embeddedOnly = (isEmbedded ? test : test.skip) as typeof test;

/** The same for a group of tests. */
export const describeEmbedded = (isEmbedded ? describe : describe.skip) as typeof describe;
