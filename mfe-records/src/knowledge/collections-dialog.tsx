import type { Audience, Collection, CollectionList, CollectionRequest } from 'api/contract/collections';
import type { PeoplePage } from 'api/contract/people';
import { Button } from 'host/ui/button.tsx';
import { ActionDialog, Dialog } from 'host/ui/dialog.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { useDesk } from '../lib/services.ts';
import { knowledgeTexts } from '../lib/texts.ts';
import { nameOf } from './lib/collection-choice.tsx';
import styles from './lib/collections.module.css';
import type { DialogContext } from './lib/dialog-context.ts';

const path = '/api/knowledge/collections';
const nobody: Audience = { groups: [], people: [] };
const accesses = ['everyone', 'signed_in', 'some'] as const;

/** Administrators add, change and delete collections here. */
export function CollectionsDialog({
  list,
  onList,
  onClose,
}: Pick<DialogContext, 'list' | 'onList' | 'onClose'>) {
  const { t, http } = useDesk(knowledgeTexts);
  /** The collection in the form; null: a new one; undefined: the list is shown. */
  const [edited, setEdited] = useState<Collection | null | undefined>(undefined);
  const { isBusy, failure, run } = useAction();
  if (edited !== undefined)
    return (
      <CollectionForm
        list={list}
        collection={edited}
        onList={(saved) => {
          onList(saved);
          setEdited(undefined);
        }}
        onClose={() => setEdited(undefined)}
      />
    );
  const remove = ({ id }: Collection) =>
    run(async (signal) => onList((await http.delete<CollectionList>(`${path}/${id}`, { signal })).data));
  return (
    <Dialog
      title={t('collections')}
      isBusy={isBusy}
      onClose={onClose}
      foot={<Button look="primary" label={t('collection.new')} onClick={() => setEdited(null)} />}
    >
      <p>{t('collections.about')}</p>
      {failure && (
        <p className="field-note error" role="alert">
          {failure.message}
        </p>
      )}
      <ul className="rows">
        {list.collections.map((one) => (
          <li key={one.id}>
            <span>
              <b dir="auto">{nameOf(one, t)}</b>
              <small>
                {t(`collection.access.${one.access}`)} ·{' '}
                {t('collection.size', { documents: one.documents, pairs: one.pairs })}
              </small>
            </span>
            {one.readers && (
              <>
                <IconButton
                  icon="pencil"
                  label={t('collection.edit', { name: one.name })}
                  onClick={() => setEdited(one)}
                />
                <IconButton
                  icon="trash"
                  label={t('collection.delete', { name: one.name })}
                  onClick={() => void remove(one)}
                />
              </>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface CollectionFormProps extends Pick<DialogContext, 'list' | 'onList' | 'onClose'> {
  collection: Collection | null;
}

function CollectionForm({ list, collection, onList, onClose }: CollectionFormProps) {
  const { t, http } = useDesk(knowledgeTexts);
  const [request, setRequest] = useState<CollectionRequest>({
    name: collection?.name ?? '',
    access: collection?.access ?? 'some',
    readers: collection?.readers ?? nobody,
    editors: collection?.editors ?? nobody,
  });
  const [people, setPeople] = useState(list.people ?? []);
  const { isBusy, failure, run } = useAction();
  const put = (change: Partial<CollectionRequest>) => setRequest((before) => ({ ...before, ...change }));
  const save = () =>
    run(async (signal) => {
      const body = { ...request, name: request.name.trim() };
      if (body.name === '') throw new Error(t('collection.name.empty'));
      const { data } = collection
        ? await http.put<CollectionList>(`${path}/${collection.id}`, body, { signal })
        : await http.post<CollectionList>(path, body, { signal });
      onList(data);
    });
  const audience = (kind: 'readers' | 'editors') => (
    <AudienceFields
      label={t(`collection.${kind}`)}
      audience={request[kind]}
      {...(list.groups && { groups: list.groups })}
      people={people}
      onPerson={(person) => setPeople((before) => [...before.filter((one) => one.id !== person.id), person])}
      onChange={(change) => setRequest((before) => ({ ...before, [kind]: { ...before[kind], ...change } }))}
    />
  );
  return (
    <ActionDialog
      title={t(collection ? 'collection.edit' : 'collection.new', { name: collection?.name ?? '' })}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={save}
      action={t('save')}
    >
      <TextField
        label={t('name')}
        value={request.name}
        maxLength={60}
        fault={failure?.message}
        onText={(name) => put({ name })}
      />
      <TextField
        label={t('collection.access')}
        choices={accesses.map((one) => [one, t(`collection.access.${one}`)])}
        value={request.access}
        note={t('collection.access.about')}
        onText={(access) => put({ access: access as CollectionRequest['access'] })}
      />
      {request.access === 'some' && audience('readers')}
      {audience('editors')}
    </ActionDialog>
  );
}

type Person = { id: string; username: string };

interface AudienceFieldsProps extends Pick<CollectionList, 'groups'> {
  label: string;
  audience: Audience;
  people: readonly Person[];
  onPerson(person: Person): void;
  onChange(change: Partial<Audience>): void;
}

/** Groups and people, by name. */
function AudienceFields(props: AudienceFieldsProps) {
  const { label, audience, groups = [], people, onPerson, onChange } = props;
  const { t, http } = useDesk(knowledgeTexts);
  const [username, setUsername] = useState('');
  const { isBusy, failure, run } = useAction();
  const choices = [
    ...groups.map((group) => ({ kind: 'groups' as const, ...group })),
    ...people
      .filter(({ id }) => audience.people.includes(id))
      .map(({ id, username: name }) => ({ kind: 'people' as const, id, name })),
  ];
  const choose = (kind: keyof Audience, id: string, isIn: boolean) => {
    const others = audience[kind].filter((one) => one !== id);
    onChange({ [kind]: isIn ? [...others, id] : others });
  };
  const add = () =>
    run(async (signal) => {
      const q = username.trim();
      if (q === '') return;
      const { data } = await http.post<PeoplePage>('/api/people/search', { q }, { signal });
      const person = data.people.find((one) => one.username.toLowerCase() === q.toLowerCase());
      if (!person) throw new Error(t('collection.person.unknown', { name: q }));
      onPerson({ id: person.id, username: person.username });
      choose('people', person.id, true);
      setUsername('');
    });
  return (
    <fieldset className={`mb-s4 ${styles.audience}`}>
      <legend className="strong">{label}</legend>
      {choices.map(({ kind, id, name }) => (
        <label key={id} className="choice">
          <input
            type="checkbox"
            checked={audience[kind].includes(id)}
            onChange={({ target }) => choose(kind, id, target.checked)}
          />
          <span dir="auto">{name}</span>
        </label>
      ))}
      <div className={styles.person}>
        <TextField
          label={t('collection.person')}
          value={username}
          maxLength={64}
          fault={failure?.message}
          onText={setUsername}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            void add();
          }}
        />
        <Button label={t('add')} isOff={isBusy} onClick={add} />
      </div>
    </fieldset>
  );
}
