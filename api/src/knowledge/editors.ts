import type { Config } from '../config.ts';
import type { UserDocument } from '../models/user.ts';
import { nameKeyOf } from '../services/account-rules.ts';

/** Who may change what everyone is answered from. */
export interface Editors {
  isEditor(user: Pick<UserDocument, 'username' | 'isFirst'>): boolean;
}

/**
 * The first account that ever signed up, and those that EDITORS names, written as at sign-up; `*` is everyone signed in. Once the first account
 * is deleted nobody takes its place: whoever runs the desk names one.
 */
export function createEditors({ editors }: Pick<Config, 'editors'>): Editors {
  const named = new Set(editors.map(nameKeyOf));
  return {
    isEditor: ({ username, isFirst }) => isFirst || named.has('*') || named.has(nameKeyOf(username)),
  };
}
