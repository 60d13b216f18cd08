import type { OneTimeLink } from 'api/contract/one-time-links';
import type { Group, GroupList, PeoplePage, Person, PersonChange } from 'api/contract/people';
import { Button } from 'host/ui/button.tsx';
import { SearchField } from 'host/ui/search-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { useCallback, useEffect, useState } from 'react';
import { ListScreen, usePages } from '../list/list-screen.tsx';
import { screenOf, useDesk } from '../services.tsx';
import { peopleTexts } from '../texts.ts';
import { GroupsDialog, PersonGroupsDialog } from './group-dialogs.tsx';
import { InviteDialog, LinkDialog, TransferDialog } from './link-dialogs.tsx';
import styles from './people.module.css';
import { PersonRow, shownRoles } from './person-row.tsx';

export const texts = [peopleTexts];

/** The open dialog: an invitation, the groups of the desk, a created link, a transfer from an account, or the groups of an account. */
type Open =
  | 'invite'
  | 'groups'
  | { link: string; title: string; about?: string }
  | { person: Person; isDeletion: boolean }
  | { member: Person };

/** /people: administrators find accounts, give them roles and disable them. */
export default screenOf(People, peopleTexts);

function People() {
  const { t, http, session, toasts } = useDesk(peopleTexts);
  const username = useStream(session.username$);
  const [q, setQ] = useState('');
  const [role, setRole] = useState('');
  const [wantedGroup, setWantedGroup] = useState('');
  const [groups, setGroups] = useState<readonly Group[]>([]);
  const group = groups.some(({ id }) => id === wantedGroup) ? wantedGroup : '';
  const readGroups = useCallback(
    async (signal: AbortSignal) => {
      setGroups((await http.get<GroupList>('/api/people/groups', { signal })).data.groups);
    },
    [http],
  );
  useEffect(() => {
    const controller = new AbortController();
    // Failures are ignored, because the list of accounts reports the same.
    readGroups(controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, [readGroups]);
  const filter = { q: q.trim(), ...(role && { role }), ...(group && { group }) };
  const pages = usePages<Person>(toasts, filter, async (request, signal) => {
    const { data } = await http.post<PeoplePage>('/api/people/search', request, { signal });
    return { items: data.people, nextCursor: data.nextCursor };
  });
  const changing = useAction({ toasts });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const replace = (data: Person) =>
    pages.setItems((before) => before?.map((one) => (one.id === data.id ? data : one)) ?? null);

  const change = ({ id, username: name }: Person, changes: PersonChange) =>
    changing.run(async (signal) => {
      const { data } = await http.patch<Person>(`/api/people/${encodeURIComponent(id)}`, changes, { signal });
      replace(data);
      const done = data.isDisabled ? 'disabled.done' : 'enabled.done';
      toasts.show({
        kind: 'success',
        text: t(changes.groups ? 'groups.changed' : changes.roles ? 'changed' : done, { name }),
      });
    });

  const passwordLink = ({ id, username: name }: Person) =>
    changing.run(async (signal) => {
      const path = `/api/people/${encodeURIComponent(id)}/password-link`;
      const { data } = await http.post<OneTimeLink>(path, undefined, { signal });
      setOpen({
        link: data.token,
        title: t('passwordLink.of', { name }),
        about: t('passwordLink.about'),
      });
    });

  const remove = ({ id, username: name }: Person) =>
    changing.run(async (signal) => {
      const { data } = await http.delete<Person>(`/api/people/${encodeURIComponent(id)}`, { signal });
      replace(data);
      toasts.show({ kind: 'success', text: t('delete.done', { name }) });
      close();
    });

  return (
    <ListScreen
      t={t}
      pages={pages}
      link={{ to: '/audit', label: t('audit') }}
      filter={
        <>
          <SearchField
            label={t('search')}
            value={q}
            maxLength={64}
            onText={(text) => {
              pages.typing();
              setQ(text);
            }}
          />
          <select
            className="input"
            aria-label={t('role')}
            value={role}
            onChange={({ target }) => setRole(target.value)}
          >
            <option value="">{t('role.all')}</option>
            {shownRoles.map((one) => (
              <option key={one} value={one}>
                {t(`role.${one}`)}
              </option>
            ))}
          </select>
          {groups.length > 0 && (
            <select
              className="input"
              aria-label={t('group')}
              value={group}
              onChange={({ target }) => setWantedGroup(target.value)}
            >
              <option value="">{t('group.all')}</option>
              {groups.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
          <Button label={t('groups')} onClick={() => setOpen('groups')} />
          <Button label={t('invite')} onClick={() => setOpen('invite')} />
        </>
      }
      notices={
        <>
          {open === 'invite' && (
            <InviteDialog onMade={(link) => setOpen({ link, title: t('invite.made') })} onClose={close} />
          )}
          {open === 'groups' && <GroupsDialog groups={groups} onChanged={readGroups} onClose={close} />}
          {typeof open === 'object' && open && 'member' in open && (
            <PersonGroupsDialog
              person={open.member}
              groups={groups}
              isBusy={changing.isBusy}
              onSave={async (chosen) => {
                if (!(await change(open.member, { groups: chosen }))) return;
                close();
                await changing.run(readGroups);
              }}
              onClose={close}
            />
          )}
          {typeof open === 'object' && open && 'link' in open && (
            <LinkDialog title={open.title} token={open.link} about={open.about} onClose={close} />
          )}
          {typeof open === 'object' && open && 'person' in open && (
            <TransferDialog
              person={open.person}
              isDeletion={open.isDeletion}
              isBusy={changing.isBusy}
              onTransferred={(to, isDone) =>
                toasts.show({
                  kind: 'success',
                  text: t(isDone ? 'transfer.done' : 'transfer.running', { name: open.person.username, to }),
                })
              }
              onDelete={() => void remove(open.person)}
              onClose={close}
            />
          )}
        </>
      }
      list={(people) => (
        <>
          <dl className={`stack gap-2px mb-s3 type-small ink-2 ${styles.about}`}>
            {shownRoles.map((one) => (
              <div key={one}>
                <dt className="type-small strong ink-2">{t(`role.${one}`)}</dt>
                <dd>{t(`role.${one}.about`)}</dd>
              </div>
            ))}
          </dl>
          <ul className={`rows roomy ${styles.people}`}>
            {people.map((person) => (
              <PersonRow
                key={person.id}
                person={person}
                groups={groups}
                isSelf={person.username === username}
                isBusy={changing.isBusy}
                onChange={(changes) => void change(person, changes)}
                onGroups={() => setOpen({ member: person })}
                onPasswordLink={() => void passwordLink(person)}
                onTransfer={() => setOpen({ person, isDeletion: false })}
                onDelete={() => setOpen({ person, isDeletion: true })}
              />
            ))}
          </ul>
        </>
      )}
    />
  );
}
