import type { Group, Person, PersonChange } from 'api/contract/people';
import { Button } from 'host/ui/button.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { MenuButton } from 'host/ui/menu.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import type { ReactNode } from 'react';
import { peopleTexts } from '../texts.ts';
import styles from './people.module.css';

/** The roles that this screen can change. Every account may ask; these allow more. */
export const shownRoles = ['agent', 'editor', 'administrator', 'operator'] as const;

interface PersonRowProps {
  person: Person;
  groups: readonly Group[];
  isSelf: boolean;
  isBusy: boolean;
  onChange(change: PersonChange): void;
  onGroups(): void;
  onPasswordLink(): void;
  onTransfer(): void;
  onDelete(): void;
}

/** An account with its roles. Administrators cannot change their own account here, because they could lock themselves out. */
export function PersonRow(props: PersonRowProps) {
  const { person, groups, isSelf, isBusy, onChange } = props;
  const t = useTexts(peopleTexts);
  const { locale } = useFormats();
  const { username: name, roles, isDisabled, deleteAt, signedInAt, sessions, signsInBy } = person;
  return (
    <li>
      <div>
        <b>
          {name}
          {isSelf && <span className="tag accent">{t('you')}</span>}
          {isDisabled && (
            <span className="tag warning">
              {deleteAt ? t('deleted', { time: formatTime(deleteAt, locale) }) : t('disabled')}
            </span>
          )}
          {groups
            .filter(({ id }) => person.groups.includes(id))
            .map(({ id, name: group }) => (
              <span className="tag" key={id}>
                {group}
              </span>
            ))}
        </b>
        <p className="num">
          <span>
            {signedInAt ? t('signedIn', { time: formatTime(signedInAt, locale) }) : t('signedIn.unknown')}
          </span>
          <span>{t('sessions', { count: sessions })}</span>
          {signsInBy !== 'password' && <span>{t(`signsInBy.${signsInBy}`)}</span>}
          <span>{t('created', { time: formatTime(person.createdAt, locale) })}</span>
        </p>
      </div>
      <RoleBoxes
        legend={<legend className="sr">{t('roles', { name })}</legend>}
        roles={roles}
        isDisabled={isSelf}
        isBusy={isBusy}
        onChange={(chosen) => onChange({ roles: chosen })}
      />
      {!isSelf && (
        <div className="cluster">
          <Button
            look="small"
            label={t(deleteAt ? 'restore' : isDisabled ? 'enable' : 'disable')}
            aria-label={t(deleteAt ? 'restore.of' : isDisabled ? 'enable.of' : 'disable.of', { name })}
            isOff={isBusy}
            onClick={() => onChange({ isDisabled: !isDisabled })}
          />
          <MenuButton
            label={t('more.of', { name })}
            items={[
              { label: t('groups.edit'), icon: 'people', action: props.onGroups },
              { label: t('passwordLink'), icon: 'link', action: props.onPasswordLink },
              { label: t('transfer'), icon: 'leave', action: props.onTransfer },
              ...(deleteAt
                ? []
                : [{ label: t('delete'), icon: 'trash', isDanger: true, action: props.onDelete }]),
            ]}
          />
        </div>
      )}
    </li>
  );
}

interface RoleBoxesProps {
  legend: ReactNode;
  roles: Person['roles'];
  isDisabled?: boolean;
  isBusy?: boolean;
  onChange(roles: Person['roles']): void;
}

export function RoleBoxes({ legend, roles, isDisabled = false, isBusy = false, onChange }: RoleBoxesProps) {
  const t = useTexts(peopleTexts);
  return (
    <fieldset className={styles.roles}>
      {legend}
      {shownRoles.map((role) => (
        <label key={role} className="choice" title={t(`role.${role}.about`)}>
          <input
            type="checkbox"
            checked={roles.includes(role)}
            disabled={isDisabled}
            aria-disabled={isBusy || undefined}
            onChange={({ target }) =>
              onChange(target.checked ? [...roles, role] : roles.filter((one) => one !== role))
            }
          />
          {t(`role.${role}`)}
        </label>
      ))}
    </fieldset>
  );
}
