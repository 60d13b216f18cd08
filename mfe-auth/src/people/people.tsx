import type { OneTimeLink } from 'api/contract/one-time-links';
import type { PeoplePage, Person, PersonChange } from 'api/contract/people';
import type { HttpFailure, ScreenProps } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { Icon } from 'host/ui/icon.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { DeletePersonDialog, InviteDialog, LinkDialog } from './link-dialogs.tsx';
import styles from './people.module.css';
import { peopleTexts } from './people-texts.ts';
import { PersonRow, shownRoles } from './person-row.tsx';

/** Time without typing after which the list is read, in ms. */
const restMs = 250;

export const texts = [peopleTexts];

/** What a dialog is about: an invitation, a link that was made, or an account to be deleted. */
type Open = 'invite' | { link: string; title: string } | { person: Person };

/** /people: administrators find accounts, give them roles and disable them. */
export default function PeopleScreen({ services, controls }: ScreenProps) {
  const { http, i18n, session, toasts } = services;
  const t = useTranslate(i18n, peopleTexts);
  const username = useStream(session.username$);
  const roleId = useId();
  const [q, setQ] = useState('');
  const [role, setRole] = useState('');
  const [people, setPeople] = useState<Person[] | null>(null);
  const [nextCursor, setNextCursor] = useState<string | null>(null);
  const [failure, setFailure] = useState<HttpFailure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const changing = useAction({ toasts });
  const reading = useAction({ toasts });
  const typed = useRef(false);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);

  const readPage = async (cursor: string | null, signal: AbortSignal) => {
    const request = { q: q.trim(), ...(role && { role }), ...(cursor && { cursor }) };
    return (await http.post<PeoplePage>('/api/people/search', request, { signal })).data;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` reads the list again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const read = async () => {
      try {
        const page = await readPage(null, signal);
        if (signal.aborted) return;
        setPeople(page.people);
        setNextCursor(page.nextCursor);
        setFailure(null);
      } catch (error) {
        if (!signal.aborted) setFailure(asFailure(error));
      }
    };
    const timer = setTimeout(read, typed.current ? restMs : 0);
    typed.current = false;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [http, q, role, attempt]);

  const more = () =>
    reading.run(async (signal) => {
      const page = await readPage(nextCursor, signal);
      setPeople((before) => [...(before ?? []), ...page.people]);
      setNextCursor(page.nextCursor);
    });

  const change = ({ id, username: name }: Person, changes: PersonChange) =>
    changing.run(async (signal) => {
      const { data } = await http.patch<Person>(`/api/people/${encodeURIComponent(id)}`, changes, { signal });
      setPeople((before) => before?.map((one) => (one.id === id ? data : one)) ?? null);
      const done = data.isDisabled ? 'disabled.done' : 'enabled.done';
      toasts.show({ kind: 'success', text: t(changes.roles ? 'changed' : done, { name }) });
    });

  const passwordLink = ({ id, username: name }: Person) =>
    changing.run(async (signal) => {
      const path = `/api/people/${encodeURIComponent(id)}/password-link`;
      const { data } = await http.post<OneTimeLink>(path, undefined, { signal });
      setOpen({ link: data.token, title: t('passwordLink.of', { name }) });
    });

  const remove = ({ id, username: name }: Person) =>
    changing.run(async (signal) => {
      const { data } = await http.delete<Person>(`/api/people/${encodeURIComponent(id)}`, { signal });
      setPeople((before) => before?.map((one) => (one.id === id ? data : one)) ?? null);
      toasts.show({ kind: 'success', text: t('delete.done', { name }) });
      close();
    });

  if (failure?.status === 403) {
    return (
      <main className="page" id="main" tabIndex={-1}>
        <header className="head">
          <h1>{t('title')}</h1>
          <span className="space" />
          <div className="cluster">{controls}</div>
        </header>
        <div className="body">
          <div className="failed">
            <h2>{t('forbidden')}</h2>
            <p>{t('forbidden.about')}</p>
            <div className="row">
              <Link className="button" to="/index">
                {t('forbidden.back')}
              </Link>
            </div>
          </div>
        </div>
      </main>
    );
  }
  return (
    <main className="page" id="main" tabIndex={-1}>
      <header className="head">
        <h1>{t('title')}</h1>
        <span className="space" />
        <div className="cluster">{controls}</div>
      </header>
      <div className={`body ${styles.people}`}>
        <div className={styles.filter}>
          <label className="search">
            <span className="sr">{t('search')}</span>
            <Icon name="search" />
            <input
              className="input"
              type="search"
              value={q}
              placeholder={t('search')}
              maxLength={64}
              onChange={({ target }) => {
                typed.current = true;
                setQ(target.value);
              }}
            />
          </label>
          <label className="sr" htmlFor={roleId}>
            {t('role')}
          </label>
          <select className="input" id={roleId} value={role} onChange={({ target }) => setRole(target.value)}>
            <option value="">{t('role.all')}</option>
            {shownRoles.map((one) => (
              <option key={one} value={one}>
                {t(`role.${one}`)}
              </option>
            ))}
          </select>
          <button className="button" type="button" onClick={() => setOpen('invite')}>
            {t('invite')}
          </button>
        </div>
        {open === 'invite' && (
          <InviteDialog
            http={http}
            t={t}
            onMade={(link) => setOpen({ link, title: t('invite.made') })}
            onClose={close}
          />
        )}
        {open && open !== 'invite' && 'link' in open && (
          <LinkDialog title={open.title} token={open.link} t={t} onClose={close} />
        )}
        {open && open !== 'invite' && 'person' in open && (
          <DeletePersonDialog
            name={open.person.username}
            isBusy={changing.isBusy}
            t={t}
            onConfirm={() => void remove(open.person)}
            onClose={close}
          />
        )}
        {failure && (
          <Problem
            title={t('failed')}
            message={failure.message}
            retryLabel={t('retry')}
            requestId={failure.requestId}
            onRetry={() => setAttempt((before) => before + 1)}
          />
        )}
        {!people && !failure && (
          <Skeleton
            className={styles.skeleton}
            label={t('loading')}
            lines={['third', 'most', 'third', 'most']}
          />
        )}
        {people?.length === 0 && !failure && (
          <div className="failed">
            <h2>{t('none')}</h2>
            <p>{t('none.about')}</p>
          </div>
        )}
        {people && people.length > 0 && !failure && (
          <>
            <dl className={styles.about}>
              {shownRoles.map((one) => (
                <div key={one}>
                  <dt>{t(`role.${one}`)}</dt>
                  <dd>{t(`role.${one}.about`)}</dd>
                </div>
              ))}
            </dl>
            <ul>
              {people.map((person) => (
                <PersonRow
                  key={person.id}
                  person={person}
                  isSelf={person.username === username}
                  isBusy={changing.isBusy}
                  t={t}
                  locale={i18n.locale()}
                  onChange={(changes) => void change(person, changes)}
                  onPasswordLink={() => void passwordLink(person)}
                  onDelete={() => setOpen({ person })}
                />
              ))}
            </ul>
            {nextCursor && (
              <button
                className="button"
                type="button"
                aria-disabled={reading.isBusy || undefined}
                onClick={() => void more()}
              >
                {t('more')}
              </button>
            )}
          </>
        )}
      </div>
    </main>
  );
}
