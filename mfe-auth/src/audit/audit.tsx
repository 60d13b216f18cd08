import type {
  AuditArea,
  AuditCheck,
  AuditEntry,
  AuditPage,
  AuditParty,
  AuditStreamState,
} from 'api/contract/audit';
import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { Icon } from 'host/ui/icon.tsx';
import { saveFile } from 'host/ui/save-file.ts';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { ListScreen, usePages } from '../list/list-screen.tsx';
import { screenOf, useDesk } from '../services.tsx';
import { type AuditTexts, auditTexts } from '../texts.ts';
import styles from './audit.module.css';

/** As in the contract, whose schemas are not in the bundles of remotes. */
const areas = [
  'sign_in',
  'rights',
  'settings',
  'knowledge',
  'exports',
  'deletions',
  'inbox',
  'operations',
] as const satisfies AuditArea[];

export const texts = [auditTexts];

/** /audit: administrators read who did what, verify that nothing was removed, and download it. */
export default screenOf(Audit, auditTexts);

function Audit() {
  const { t, http, toasts } = useDesk(auditTexts);
  const [area, setArea] = useState('');
  const [username, setUsername] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [check, setCheck] = useState<AuditCheck | null>(null);
  const [stream, setStream] = useState<AuditStreamState | null>(null);
  const verifying = useAction({ toasts });
  const saving = useAction({ toasts });
  const filter = {
    ...(area && { area }),
    ...(username.trim() && { username: username.trim() }),
    ...(from && { from }),
    ...(to && { to }),
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  };
  const pages = usePages<AuditEntry>(toasts, filter, async (request, signal) => {
    const { data } = await http.post<AuditPage>('/api/audit/search', request, { signal });
    setStream(data.stream);
    return { items: data.entries, nextCursor: data.nextCursor };
  });
  const verify = () =>
    verifying.run(async (signal) => {
      setCheck(null);
      setCheck((await http.post<AuditCheck>('/api/audit/verify', undefined, { signal })).data);
    });
  const save = () =>
    saving.run(async (signal) => {
      const { data } = await http.post<Blob>('/api/audit/export', filter, { signal, responseType: 'blob' });
      saveFile(data, `${t('title')}.csv`);
    });

  return (
    <ListScreen
      t={t}
      pages={pages}
      link={{ to: '/people', label: t('people') }}
      filter={
        <>
          <TextField
            label={t('area')}
            choices={[['', t('area.all')], ...areas.map((one) => [one, t(`area.${one}`)] as const)]}
            value={area}
            onText={setArea}
          />
          <TextField
            label={t('username')}
            type="search"
            value={username}
            maxLength={64}
            onText={(text) => {
              pages.typing();
              setUsername(text);
            }}
          />
          <TextField label={t('from')} type="date" value={from} max={to || undefined} onText={setFrom} />
          <TextField label={t('to')} type="date" value={to} min={from || undefined} onText={setTo} />
          <Button isOff={saving.isBusy} icon="download" label={t('download')} onClick={save} />
          <Button
            isOff={verifying.isBusy}
            label={t(verifying.isBusy ? 'verifying' : 'verify')}
            onClick={verify}
          />
        </>
      }
      notices={
        <>
          {stream && <Stream stream={stream} />}
          <Verdict check={check} />
        </>
      }
      list={(entries) => (
        <ol className="mb-s4">
          {entries.map((entry) => (
            <Entry key={entry.number} entry={entry} />
          ))}
        </ol>
      )}
    />
  );
}

/** Progress of copying the log to other systems. */
function Stream({ stream: { sentAt, waiting, waitingSince, failure } }: { stream: AuditStreamState }) {
  const t = useTexts(auditTexts);
  const { locale } = useFormats();
  const isLate = failure !== null && waitingSince !== null;
  return (
    <p className={`${styles.verdict} ${isLate ? 'ink-error' : ''}`}>
      <Icon name={isLate ? 'alert' : 'ok'} />
      <span>
        {isLate
          ? t('stream.late', { count: waiting, time: formatTime(waitingSince, locale), failure })
          : t('stream.waiting', { count: waiting })}{' '}
        {sentAt ? t('stream.sent', { time: formatTime(sentAt, locale) }) : t('stream.never')}
      </span>
    </p>
  );
}

/** The result of the check whether the log is complete. */
function Verdict({ check }: { check: AuditCheck | null }) {
  const t = useTexts(auditTexts);
  const isBroken = check?.brokenAt != null;
  return (
    <p className={`${styles.verdict} ${isBroken ? 'ink-error' : ''}`} role={isBroken ? 'alert' : 'status'}>
      {check && <Icon name={isBroken ? 'alert' : 'check'} />}
      {check && (
        <span>
          {check.brokenAt !== null
            ? t('broken', { number: check.brokenAt, count: check.entries })
            : t('intact', { count: check.entries, hash: check.last?.hash ?? '' })}
        </span>
      )}
    </p>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const t = useTexts(auditTexts);
  const { locale } = useFormats();
  const { number, at, event, call, by, subject, ip } = entry;
  const isFailure = event.endsWith('_failed');
  const nobody = call === null ? t('by.desk') : t('by.unknown');
  const isAboutOther = subject && subject.id !== by?.id;
  return (
    <li className={styles.entry}>
      <p>
        <b>{by ? partyName(by, t) : nobody}</b>
        <span className={isFailure ? 'tag warning' : 'tag'}>{t(`event.${event}`)}</span>
        {isAboutOther && <span>{t('about', { name: partyName(subject, t) })}</span>}
      </p>
      <p className="num type-small quiet">
        <time dateTime={at}>{formatTime(at, locale)}</time>
        {ip && <span>{t('from.address', { ip })}</span>}
        {call && <code>{call}</code>}
        <span>{t('number', { number })}</span>
      </p>
    </li>
  );
}

function partyName({ kind, id, name }: AuditParty, t: Translate<AuditTexts>): string {
  if (kind === 'guest') return t('by.guest');
  if (kind === 'token') return t('by.token', { name: id });
  return kind === 'user' ? (name ?? t('by.deleted')) : id;
}
