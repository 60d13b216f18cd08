import type { Collection } from 'api/contract/collections';
import type { Translate } from 'host/contract';
import { useTexts } from 'host/ui/screen.tsx';
import { useId } from 'react';
import { type KnowledgeTexts, knowledgeTexts } from '../../lib/texts.ts';
import styles from './collections.module.css';

/** The name of a collection; the first one has none of its own. */
export function nameOf({ name }: Pick<Collection, 'name'>, t: Translate<KnowledgeTexts>): string {
  return name || t('collection.first');
}

/** The address of the archive of a collection; '' is the first one. */
export function archiveUrl(call: 'export' | 'import', collection: string): string {
  return `/api/knowledge/${call}${collection && `?collection=${encodeURIComponent(collection)}`}`;
}

interface CollectionChoiceProps {
  collections: readonly Collection[];
  value: string;
  onChange(id: string): void;
}

/** Chooses the collection that the lists show, and that uploads and new pairs belong to; '' for all of them. */
export function CollectionChoice({ collections, value, onChange }: CollectionChoiceProps) {
  const t = useTexts(knowledgeTexts);
  const id = useId();
  const chosen = collections.find((one) => one.id === value);
  return (
    <div className={`line wrap ${styles.choice}`}>
      <label htmlFor={id}>{t('collection')}</label>
      <select className="input" id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{t('collection.all')}</option>
        {collections.map((one) => (
          <option key={one.id} value={one.id}>
            {nameOf(one, t)}
          </option>
        ))}
      </select>
      {chosen && (
        <span className="field-note">
          {t(`collection.access.${chosen.access}`)}
          {chosen.mayEdit && ` · ${t('collection.adds', { name: nameOf(chosen, t) })}`}
        </span>
      )}
    </div>
  );
}
