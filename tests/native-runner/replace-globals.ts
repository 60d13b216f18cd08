/**
 * Set-up file of jest projects that run with jest-light-runner: tests import '@jest/globals' as everywhere else, and get what
 * jest-globals.ts exports. Outside of Jest's own module system that package only throws.
 */
import { registerHooks } from 'node:module';

const url = new URL('./jest-globals.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url, shortCircuit: true } : next(specifier, context),
});
