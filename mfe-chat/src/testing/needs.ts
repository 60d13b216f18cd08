import type { HostServices } from 'host/contract';

/** The host services that this remote uses, in alphabetical order. The contract tests forbid all others. */
export const needs = [
  'avatars',
  'desk',
  'http',
  'i18n',
  'report',
  'saved',
  'session',
  'storage',
  'toasts',
  'token$',
  'updates',
] as const satisfies readonly (keyof HostServices)[];
