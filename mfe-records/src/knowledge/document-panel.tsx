import { useQuery } from '@tanstack/react-query';
import type { KnowledgeDocumentInfo } from 'api/contract/knowledge';
import type { Http, Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import type { DateFormats } from 'host/ui/format-date.ts';
import { Icon } from 'host/ui/icon.tsx';
import { NoticeList } from 'host/ui/reading-notices/reading-notices.tsx';
import { useLayoutEffect, useRef } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { LoadProblem } from '../lib/load-problem.tsx';
import { describe, whenOf } from './describe-document.ts';
import type { DocumentEditing } from './document-row.tsx';
import { DocumentStatus } from './document-status.tsx';
import styles from './documents.module.css';
import type { KnowledgeTexts } from './knowledge-texts.ts';
import { PassageList } from './passage-list.tsx';
import type { SearchedList } from './use-knowledge-lists.ts';
import { documentAddress } from './view.ts';

interface DocumentPanelProps {
  id: string;
  http: Http;
  calendar: DateFormats;
  t: Translate<KnowledgeTexts>;
  documents: SearchedList<KnowledgeDocumentInfo>;
  editing?: DocumentEditing;
  /** Opens the document's text. */
  onOpen(document: KnowledgeDocumentInfo): void;
}

/** One document: details, actions and passages. Beside the lists, or above them on phones. */
export function DocumentPanel({ id, http, calendar, t, documents, editing, onOpen }: DocumentPanelProps) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const close = { search: documentAddress(params, null) };
  const heading = useRef<HTMLHeadingElement>(null);
  const listed = documents.list.items.find((one) => one.id === id);
  // A document that is not loaded in the list is loaded separately.
  const query = useQuery({
    queryKey: ['document', id],
    queryFn: async ({ signal }) => {
      const url = `/api/knowledge/documents/${encodeURIComponent(id)}`;
      return documentOf((await http.get<DocumentReply>(url, { signal })).data);
    },
    enabled: !listed && documents.list.hasBegun,
  });
  const one = listed ?? query.data;
  const title = one?.title ?? t('documents');

  // A layout effect: its cleanup runs when the panel disappears, not some time after.
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
    return () => {
      const row = document.querySelector<HTMLElement>(`[data-document="${CSS.escape(id)}"]`);
      // Only if the focus was inside this panel.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) row?.focus();
      });
    };
  }, [id]);

  return (
    <aside
      className={styles.panel}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) void navigate(close);
      }}
    >
      <header className={styles.panelHead}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Link className="icon-button" to={close} aria-label={t('document.close')}>
          <Icon name="close" />
        </Link>
      </header>
      {!one && query.error ? (
        query.error.status === 404 ? (
          <div className="failed">
            <h3>{t('document.gone')}</h3>
            <p>{t('document.gone.about')}</p>
          </div>
        ) : (
          <LoadProblem
            failure={query.error}
            title={t('document.failed')}
            t={t}
            onRetry={() => void query.refetch()}
          />
        )
      ) : (
        one && (
          <>
            <div className={styles.facts}>
              <p className="quiet">{describe(one, t)}</p>
              <DocumentStatus document={one} t={t} />
              {one.notices && <NoticeList notices={one.notices} t={t} />}
              <dl>
                <div>
                  <dt>{t('passages')}</dt>
                  <dd>{one.passages}</dd>
                </div>
                <div>
                  <dt>{t('cited')}</dt>
                  <dd>{one.cited}</dd>
                </div>
                <div>
                  <dt>{t('updated')}</dt>
                  <dd>{whenOf(one.updatedAt, calendar, t)}</dd>
                </div>
              </dl>
              <div className={styles.tools}>
                {one.status === 'ready' && !one.isDraft && (
                  <Button look="small" icon="open" label={t('document.open')} onClick={() => onOpen(one)} />
                )}
                {editing?.mayEdit(one) && !one.isHandbook && (
                  <>
                    <Button
                      look="small"
                      icon="pencil"
                      label={t('rename')}
                      onClick={() => editing.onRename(one)}
                    />
                    <Button
                      look="small"
                      icon="retry"
                      label={t('reindex')}
                      onClick={() => editing.onReindex(one)}
                    />
                    <Button
                      look="small danger-quiet"
                      icon="trash"
                      label={t('delete')}
                      onClick={() => editing.onDelete(one)}
                    />
                  </>
                )}
              </div>
            </div>
            <PassageList key={one.updatedAt + one.status} document={one} http={http} t={t} />
          </>
        )
      )}
    </aside>
  );
}

type DocumentReply = KnowledgeDocumentInfo | { document: KnowledgeDocumentInfo };

function documentOf(reply: DocumentReply): KnowledgeDocumentInfo {
  return 'document' in reply ? reply.document : reply;
}
