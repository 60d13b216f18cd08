import type { Group, GroupRequest, Person } from 'api/contract/people';
import { Button } from 'host/ui/button.tsx';
import { ActionDialog, Dialog } from 'host/ui/dialog.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, useId, useState } from 'react';
import { useDesk } from '../services.tsx';
import { peopleTexts } from '../texts.ts';
import styles from './people.module.css';
import { RoleBoxes } from './person-row.tsx';

interface GroupsDialogProps {
  groups: readonly Group[];
  /** Resolves when the groups are read again. */
  onChanged(signal: AbortSignal): Promise<void>;
  onClose(): void;
}

/** The groups of the desk: adds, renames and deletes them. */
export function GroupsDialog({ groups, onChanged, onClose }: GroupsDialogProps) {
  const { t, http } = useDesk(peopleTexts);
  const id = useId();
  const [edited, setEdited] = useState<Group | null>(null);
  const [name, setName] = useState('');
  const [claim, setClaim] = useState('');
  const [roles, setRoles] = useState<Group['roles']>([]);
  const [leaving, setLeaving] = useState<Group | null>(null);
  const { isBusy, failure, run } = useAction();
  const edit = (group: Group | null) => {
    setEdited(group);
    setName(group?.name ?? '');
    setClaim(group?.claim ?? '');
    setRoles(group?.roles ?? []);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    void run(async (signal) => {
      const body: GroupRequest = { name: name.trim(), claim: claim.trim(), roles };
      if (body.name === '') throw new Error(t('group.name.empty'));
      const path = '/api/people/groups';
      if (edited) await http.put(`${path}/${edited.id}`, body, { signal });
      else await http.post(path, body, { signal });
      await onChanged(signal);
      edit(null);
    });
  };
  const remove = (group: Group) =>
    run(async (signal) => {
      await http.delete(`/api/people/groups/${group.id}`, { signal });
      await onChanged(signal);
      if (edited?.id === group.id) edit(null);
      setLeaving(null);
    });
  if (leaving)
    return (
      <ActionDialog
        key="deletion"
        title={t('group.delete.of', { name: leaving.name })}
        {...{ isBusy, failure }}
        onClose={() => setLeaving(null)}
        onSubmit={() => void remove(leaving)}
        action={t('group.delete.do')}
        isDanger
      >
        <p>{t('group.delete.about', { count: leaving.members })}</p>
      </ActionDialog>
    );
  return (
    <Dialog title={t('groups')} isBusy={isBusy} onClose={onClose}>
      <p>{t('groups.about')}</p>
      {groups.length === 0 && <p className="quiet">{t('groups.none')}</p>}
      <ul className={`rows ${styles.groups}`}>
        {groups.map((group) => (
          <li key={group.id}>
            <span>
              <b dir="auto">{group.name}</b>
              <small>
                {[
                  t('group.members', { count: group.members }),
                  ...group.roles.map((role) => t(`role.${role}`)),
                  group.claim && t('group.joined', { claim: group.claim }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
            <IconButton
              icon="pencil"
              label={t('group.edit', { name: group.name })}
              onClick={() => edit(group)}
            />
            <IconButton
              icon="trash"
              label={t('group.delete', { name: group.name })}
              onClick={() => setLeaving(group)}
            />
          </li>
        ))}
      </ul>
      <form className="field" noValidate onSubmit={save}>
        <label htmlFor={`${id}-name`}>{t(edited ? 'group.rename' : 'group.new')}</label>
        <input
          className="input"
          id={`${id}-name`}
          value={name}
          maxLength={60}
          data-focus-first
          onChange={({ target }) => setName(target.value)}
        />
        <label htmlFor={`${id}-claim`}>{t('group.claim')}</label>
        <input
          className="input"
          id={`${id}-claim`}
          value={claim}
          maxLength={200}
          onChange={({ target }) => setClaim(target.value)}
        />
        <p className={`field-note ${failure ? 'error' : ''}`} role={failure ? 'alert' : undefined}>
          {failure?.message ?? t('group.claim.about')}
        </p>
        <RoleBoxes
          legend={<legend>{t('group.roles')}</legend>}
          roles={roles}
          isBusy={isBusy}
          onChange={setRoles}
        />
        <div className="cluster">
          <Button
            look="primary"
            label={t(edited ? 'group.save' : 'group.add')}
            type="submit"
            isOff={isBusy}
          />
          {edited && <Button label={t('cancel')} onClick={() => edit(null)} />}
        </div>
      </form>
    </Dialog>
  );
}

interface PersonGroupsDialogProps {
  person: Person;
  groups: readonly Group[];
  isBusy: boolean;
  onSave(groups: string[]): void;
  onClose(): void;
}

export function PersonGroupsDialog({ person, groups, isBusy, onSave, onClose }: PersonGroupsDialogProps) {
  const t = useTexts(peopleTexts);
  const [chosen, setChosen] = useState(person.groups);
  const { username: name } = person;
  return (
    <ActionDialog
      title={t('groups.of', { name })}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={() => onSave(chosen)}
      action={t('group.save')}
    >
      {groups.length === 0 && <p>{t('groups.none')}</p>}
      <ul className={styles.choices}>
        {groups.map(({ id, name: label }) => (
          <li key={id}>
            <label className="choice">
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />
              <span dir="auto">{label}</span>
            </label>
          </li>
        ))}
      </ul>
    </ActionDialog>
  );
}
