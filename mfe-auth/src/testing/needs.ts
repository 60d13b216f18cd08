import type { HostServices } from 'host/contract';

/** The host services that this remote uses, in alphabetical order. The contract tests forbid all others. */
export const needs = [
  'desk',
  'http',
  'i18n',
  'session',
  'storage',
  'toasts',
  'updates',
] as const satisfies readonly (keyof HostServices)[];
