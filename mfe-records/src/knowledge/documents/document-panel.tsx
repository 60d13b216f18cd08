import { useQuery } from '@tanstack/react-query';
import type { KnowledgeDocumentInfo, KnowledgePassagePage } from 'api/contract/knowledge';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { EmptyState } from 'host/ui/problem.tsx';
import { NoticeList } from 'host/ui/reading-notices/reading-notices.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { useLayoutEffect, useRef } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { Fact } from '../../lib/fact.tsx';
import listStyles from '../../lib/list.module.css';
import { LoadProblem } from '../../lib/load-problem.tsx';
import { useDesk, useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { ListMore, ListRest, usePagedList } from '../../lib/use-paged-list.tsx';
import { describe, whenOf } from '../lib/describe-document.ts';
import { documentAddress, type KnowledgeLists } from '../lib/use-knowledge-lists.ts';
import type { DocumentEditing } from './document-section.tsx';
import { DocumentStatus } from './document-status.tsx';
import styles from './documents.module.css';

interface DocumentPanelProps {
  id: string;
  documents: KnowledgeLists['documents'];
  editing?: DocumentEditing;
  onOpen(document: KnowledgeDocumentInfo): void;
}

/** One document: details, actions and passages. Beside the lists, or above them on phones. */
export function DocumentPanel({ id, documents, editing, onOpen }: DocumentPanelProps) {
  const t = useTexts(knowledgeTexts);
  const { dates } = useFormats();
  const { http } = useServices();
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
      requestAnimationFrame(() => {
        // Only if the focus was inside this panel.
        if (document.activeElement !== document.body) return;
        document.querySelector<HTMLElement>(`[data-document="${CSS.escape(id)}"]`)?.focus();
      });
    };
  }, [id]);

  return (
    <aside
      className={`${styles.panel} ${listStyles.open}`}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) void navigate(close);
      }}
    >
      <header className={styles.panelHead}>
        <h2 className="grow type-head breakable" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Link className="icon-button" to={close} aria-label={t('document.close')}>
          <Icon name="close" />
        </Link>
      </header>
      {!one && query.error ? (
        query.error.status === 404 ? (
          <EmptyState level={3} title={t('document.gone')} about={t('document.gone.about')} />
        ) : (
          <LoadProblem
            failure={query.error}
            title={t('document.failed')}
            onRetry={() => void query.refetch()}
          />
        )
      ) : (
        one && (
          <>
            <div className={styles.facts}>
              <p className="quiet">{describe(one, t)}</p>
              <DocumentStatus document={one} />
              {one.notices && <NoticeList notices={one.notices} t={t} />}
              <dl className="line gap-s6">
                <Fact name={t('passages')} className="num">
                  {one.passages}
                </Fact>
                <Fact name={t('cited')} className="num">
                  {one.cited}
                </Fact>
                <Fact name={t('updated')} className="num">
                  {whenOf(one.updatedAt, dates, t)}
                </Fact>
              </dl>
              <div className="line wrap">
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
            <PassageList key={one.updatedAt + one.status} document={one} />
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

/** The passages of a document in order, each with its position, as answers cite them. */
function PassageList({ document: { id, status, title, updatedAt } }: { document: KnowledgeDocumentInfo }) {
  const { t, http } = useDesk(knowledgeTexts);
  const list = usePagedList({
    key: ['passages', id, status, updatedAt],
    staleTime: Number.POSITIVE_INFINITY,
    async read(cursor, limit, signal) {
      const params = { limit, ...(cursor && { cursor }) };
      const url = `/api/knowledge/documents/${encodeURIComponent(id)}/passages`;
      const { data } = await http.get<KnowledgePassagePage>(url, { params, signal });
      return { items: data.passages, total: data.passages.length, nextCursor: data.nextCursor };
    },
  });
  const { items } = list;
  if (status !== 'ready' && items.length === 0)
    return status === 'indexing' ? <p className="pad-s5 type-small quiet">{t('document.indexing')}</p> : null;
  if (items.length === 0)
    return (
      <ListRest
        list={list}
        title={t('document.failed')}
        className="pad-s5"
        label={t('loading')}
        lines={['third', 'full', 'full', 'most']}
      >
        <p className="pad-s5 type-small quiet">{t('document.noPassages')}</p>
      </ListRest>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
    <section className={styles.passages} aria-label={`${title}：${t('passages')}`} tabIndex={0}>
      <ol className="ruled">
        {items.map((passage, index) => (
          <li key={passage.id}>
            <p className="mb-s1 type-meta quiet breakable">
              <span className="num">{t('document.passage', { n: index + 1 })}</span>
              {passage.place && ` · ${passage.place}`}
            </p>
            {passage.columns && (
              <p className="mb-s1 type-meta quiet breakable" dir="auto">
                {passage.columns}
              </p>
            )}
            <p className="verbatim" dir="auto">
              {passage.text}
            </p>
          </li>
        ))}
      </ol>
      <ListMore look="small" list={list} label={t('document.more')} />
    </section>
  );
}
