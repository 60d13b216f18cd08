/**
 * Setup file of jest projects that run with jest-light-runner: makes imports of '@jest/globals' resolve to
 * jest-globals.ts. Outside of Jest's own module system that package only throws.
 */
import { registerHooks } from 'node:module';

const url = new URL('./jest-globals.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url, shortCircuit: true } : next(specifier, context),
});
