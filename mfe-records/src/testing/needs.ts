import type { HostServices } from 'host/contract';

/** The services of the host that this remote uses, in alphabetical order. The contract tests refuse all others. */
export const needs = [
  'http',
  'i18n',
  'report',
  'storage',
  'toasts',
  'updates',
] as const satisfies readonly (keyof HostServices)[];
