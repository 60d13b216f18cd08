import type { KnowledgeDocumentInfo } from 'api/contract/knowledge';
import { Icon } from 'host/ui/icon.tsx';
import { MenuButton } from 'host/ui/menu.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { knowledgeTexts } from '../../lib/texts.ts';
import { describe, whenOf } from '../lib/describe-document.ts';
import { documentAddress } from '../lib/use-knowledge-lists.ts';
import { DocumentStatus } from './document-status.tsx';
import styles from './documents.module.css';

export interface DocumentEditing {
  /** Whether the visitor may change what is in its collection. */
  mayEdit(document: KnowledgeDocumentInfo): boolean;
  onRename(document: KnowledgeDocumentInfo): void;
  onReindex(document: KnowledgeDocumentInfo): void;
  onDelete(document: KnowledgeDocumentInfo): void;
  /** Missing if there is no other collection. */
  onMove?(document: KnowledgeDocumentInfo): void;
  /** Publishes a draft. */
  onPublish(document: KnowledgeDocumentInfo): void;
}

interface DocumentRowProps {
  document: KnowledgeDocumentInfo;
  isOpen: boolean;
  params: URLSearchParams;
  editing: DocumentEditing | undefined;
  /** Its collection; undefined for the first one. */
  collection: string | undefined;
}

/** A row of the table of documents; its name opens the document. */
export const DocumentRow = memo(function DocumentRow({
  document: one,
  isOpen,
  params,
  editing,
  collection,
}: DocumentRowProps) {
  const t = useTexts(knowledgeTexts);
  const { dates } = useFormats();
  const isReady = one.status === 'ready';
  return (
    <tr>
      <td>
        <div className={`ink-links ${styles.name}`}>
          <Icon className="quiet" name={one.type === 'image' ? 'image' : one.isHandbook ? 'book' : 'file'} />
          <span className="grow">
            <Link
              className="block clip strong"
              to={{ search: documentAddress(params, one.id) }}
              aria-current={isOpen || undefined}
              data-document={one.id}
            >
              {one.title}
            </Link>
            <small className="block clip">{[collection, describe(one, t)].filter(Boolean).join(' · ')}</small>
          </span>
        </div>
      </td>
      <td>
        <DocumentStatus document={one} />
      </td>
      <td className={`right ${styles.opt}`}>{isReady || one.passages > 0 ? one.passages : '–'}</td>
      <td className={`right ${styles.opt}`}>{isReady ? one.cited : '–'}</td>
      <td className={`right quiet nowrap ${styles.opt}`}>{whenOf(one.updatedAt, dates, t)}</td>
      {editing && (
        <td className="right">
          {!one.isHandbook && editing.mayEdit(one) && (
            <MenuButton
              className="icon-button small"
              label={t('moreOf', { name: one.title })}
              items={[
                ...(one.isDraft && isReady
                  ? [{ label: t('draft.publish'), icon: 'check', action: () => editing.onPublish(one) }]
                  : []),
                { label: t('rename'), icon: 'pencil', action: () => editing.onRename(one) },
                ...(editing.onMove
                  ? [{ label: t('move'), icon: 'archive', action: () => editing.onMove?.(one) }]
                  : []),
                { label: t('reindex'), icon: 'retry', action: () => editing.onReindex(one) },
                { label: t('delete'), icon: 'trash', isDanger: true, action: () => editing.onDelete(one) },
              ]}
            >
              <Icon name="more" />
            </MenuButton>
          )}
        </td>
      )}
    </tr>
  );
});
