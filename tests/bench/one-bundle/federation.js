/**
 * Replaces host/src/remotes/federation.ts in an app with built-in screens: the chat is in the first file, as
 * is usual for what everyone sees first, the others are separate chunks.
 */
import * as chat from '../../../mfe-chat/src/chat.tsx';

const screens = {
  'mfe-chat/chat': async () => chat,
  'mfe-chat/shared': () => import('../../../mfe-chat/src/shared-conversation.tsx'),
  'mfe-auth/login': () => import('../../../mfe-auth/src/login.tsx'),
  'mfe-auth/test': () => import('../../../mfe-auth/src/test-form.tsx'),
  'mfe-auth/account': () => import('../../../mfe-auth/src/account.tsx'),
  'mfe-auth/settings': () => import('../../../mfe-auth/src/settings/settings.tsx'),
  'mfe-auth/people': () => import('../../../mfe-auth/src/people/people.tsx'),
  'mfe-auth/audit': () => import('../../../mfe-auth/src/audit/audit.tsx'),
  'mfe-records/history': () => import('../../../mfe-records/src/history/history.tsx'),
  'mfe-records/report': () => import('../../../mfe-records/src/report/report.tsx'),
  'mfe-records/contacts': () => import('../../../mfe-records/src/contacts/contacts.tsx'),
  'mfe-records/knowledge': () => import('../../../mfe-records/src/knowledge/knowledge.tsx'),
  'mfe-records/inbox': () => import('../../../mfe-records/src/inbox/inbox.tsx'),
};

export const federation = {
  async load({ container }, expose) {
    const load = screens[`${container.replaceAll('_', '-')}${expose.slice(1)}`];
    if (!load) throw new Error(`the one bundle has no ${container} ${expose}`);
    const module = await load();
    return () => module;
  },
  // Files of the one bundle are not retried.
  onLateFailure() {},
};
