import type { SessionInfo } from 'api/contract/accounts';
import type { SettingsChange } from 'api/contract/settings';
import type { Call } from 'host/stand-ins';
import { sampleAudit } from '../audit/testing/sample-audit.ts';
import { samplePeople } from '../people/testing/sample-people.ts';
import { replyWith } from '../settings/testing/sample-settings.ts';

const accounts = new Map([['anna', 'secret-1']]);
const now = new Date().toISOString();
let settings = replyWith(0);
let second = { isOn: false, recoveryCodes: 0 };
const recoveryCodes = Array.from({ length: 10 }, (_, index) => `ABCD-EFGH-IJKL-MN${'ABCDEFGHIJ'[index]}2`);
let sessions: SessionInfo[] = [
  { id: 'here', current: true, device: 'Chrome · macOS', createdAt: now, lastUsedAt: now },
  {
    id: 'phone',
    current: false,
    device: 'Safari · iPhone',
    createdAt: '2026-10-30T07:12:00.000Z',
    lastUsedAt: '2026-11-19T21:40:00.000Z',
  },
];

/** A server with the account anna, whose password is secret-1. */
export const accountServer: Record<string, (call: Call) => unknown> = {
  'POST /admin/login': ({ body }: Call) => {
    const { username, password } = body as { username: string; password: string };
    return accounts.get(username) === password ? granted() : refused('用户名或密码不正确');
  },
  'POST /admin/register': ({ body }: Call) => {
    const { username, password } = body as { username: string; password: string };
    if (accounts.has(username)) return refused('这个用户名已经有人用了');
    accounts.set(username, password);
    return granted();
  },
  'GET /api/settings': () => settings,
  'PUT /api/settings': ({ body }: Call) => {
    settings = replyWith(settings.revision + 1, (body as SettingsChange).settings);
    return settings;
  },
  'GET /api/settings/history': () => ({ revisions: [], nextCursor: null }),
  'GET /api/settings/retention': () => ({ records: 12 }),
  ...samplePeople(),
  ...sampleAudit(),
  'POST /admin/password': () => granted(),
  'GET /admin/second-factor': () => ({ hasPassword: true, passkeys: [], ...second }),
  'POST /admin/second-factor/secret': () => granted({ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
  'POST /admin/second-factor': () => {
    second = { isOn: true, recoveryCodes: 10 };
    return granted({ recoveryCodes });
  },
  'POST /admin/second-factor/recovery-codes': () => granted({ recoveryCodes }),
  'DELETE /admin/second-factor': () => {
    second = { isOn: false, recoveryCodes: 0 };
    return granted(undefined);
  },
  'GET /admin/sessions': () => ({ sessions, nextCursor: null }),
  'DELETE /admin/sessions/phone': () => {
    sessions = sessions.filter(({ id }) => id !== 'phone');
    return granted();
  },
  'DELETE /admin/sessions': () => granted(),
  'DELETE /admin/account': ({ body }: Call) =>
    (body as { password: string }).password === 'secret-1' ? granted() : refused('密码不正确'),
};

function granted(data: unknown = crypto.randomUUID()) {
  return { code: 1, msg: '', data };
}

function refused(msg: string) {
  return { code: 0, msg };
}
