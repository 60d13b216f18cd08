import { useQueryClient } from '@tanstack/react-query';
import type { CollectionList } from 'api/contract/collections';
import type { KnowledgeDocumentInfo, KnowledgePair, KnowledgeSummary } from 'api/contract/knowledge';
import type { HttpFailure, Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { MenuButton, type MenuItem } from 'host/ui/menu.tsx';
import { ScreenHead, useTexts } from 'host/ui/screen.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { useMedia } from 'host/ui/use-media.ts';
import {
  type ComponentProps,
  type ComponentType,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useSearchParams } from 'react-router-dom';
import { lateDialog } from '../lib/late-dialog.tsx';
import { FirstRead } from '../lib/load-problem.tsx';
import { screenOf } from '../lib/screen-root.tsx';
import { useRead, useServices } from '../lib/services.ts';
import { SourceDialog } from '../lib/source-dialog-part.ts';
import { type KnowledgeTexts, knowledgeTexts } from '../lib/texts.ts';
import { TransferStrip, useTransfer } from '../lib/transfer.tsx';
import { DocumentPanel } from './documents/document-panel.tsx';
import { type DocumentEditing, DocumentSection, DropArea } from './documents/document-section.tsx';
import { uploadsOf } from './documents/upload-queue.ts';
import { archiveUrl, CollectionChoice, nameOf } from './lib/collection-choice.tsx';
import type { DialogContext } from './lib/dialog-context.ts';
import { FileInput, FilePicker } from './lib/file-picker.tsx';
import styles from './lib/knowledge.module.css';
import { isPart, type Part, partAddress, useKnowledgeLists } from './lib/use-knowledge-lists.ts';
import { PairSection } from './pairs/pair-section.tsx';
import { Inbox } from './unanswered/inbox.tsx';

export const texts = [knowledgeTexts];

/**
 * /knowledge: documents and curated answers, for all signed-in users. Editors can change them and answer unanswered questions. `?v=`
 * selects one part (`documents`, `pairs`, `inbox`), `?d=` an open document.
 */
export default screenOf(Knowledge, styles.page);

function Knowledge() {
  const t = useTexts(knowledgeTexts);
  const query = useRead<KnowledgeSummary>('/api/knowledge', {
    queryKey: ['knowledge', 'summary'],
    staleTime: 0,
  });
  if (query.data) return <KnowledgeContent summary={query.data} />;
  return (
    <>
      <KnowledgeHead />
      <FirstRead
        query={query}
        title={t('failed')}
        className="pad-s6"
        label={t('loading')}
        lines={['third', 'full', 'most', 'half', 'full', 'most']}
      />
    </>
  );
}

const goldenSection = createLatePart(() => import('./golden/golden-section.tsx'));
const synonymSection = createLatePart(() => import('./synonym-section.tsx'));

const NONE: CollectionList = { collections: [] };

/** The content of /knowledge after the visitor's permissions are known. */
function KnowledgeContent({ summary }: { summary: KnowledgeSummary }) {
  const t = useTexts(knowledgeTexts);
  const services = useServices();
  const { http, toasts, updates } = services;
  const { isEditor } = summary;
  const [params, setParams] = useSearchParams();
  const isNarrow = useMedia('(max-width: 960px)');
  const named = params.get('v');
  const asked: Part | null = isPart(named) ? named : null;
  const openId = params.get('d') || null;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const transfer = useTransfer();
  useHold(updates, transfer.running !== null || dialog?.kind === 'import');
  const queue = uploadsOf(services);
  const client = useQueryClient();
  const collectionsKey = ['knowledge', 'collections'];
  const { data: list = NONE } = useRead<CollectionList>('/api/knowledge/collections', {
    queryKey: collectionsKey,
  });
  const { collections: known } = list;
  const [wanted, setWanted] = useState('');
  const chosen = known.find(({ id }) => id === wanted);
  const collection = chosen?.id ?? '';
  const editable = known.filter(({ mayEdit }) => mayEdit).map(({ id }) => id);
  /** Editors of single collections cannot change what concerns the whole desk. */
  const editsSome = isEditor || editable.length > 0;
  const hasInbox = summary.unanswered !== null;
  const needed = {
    documents: true,
    pairs: true,
    golden: editsSome,
    synonyms: isEditor,
    inbox: hasInbox && isNarrow,
  };
  const part = asked && needed[asked] ? asked : isNarrow ? 'documents' : null;
  const mayEdit = ({ collectionId = 'everyone' }: Pick<KnowledgeDocumentInfo, 'collectionId'>) =>
    isEditor || editable.includes(collectionId);
  /** The collection for uploads and new pairs; '' for the first one. */
  const target = chosen?.mayEdit ? collection : isEditor ? '' : (editable[0] ?? '');
  const names = useMemo(() => new Map(known.flatMap(({ id, name }) => (name ? [[id, name]] : []))), [known]);
  /** The collection is only named if there are several. */
  const ofTarget = known.length > 1 && { name: nameOf({ name: names.get(target) ?? '' }, t) };
  const { documents, pairs, inbox } = useKnowledgeLists({ summary, collection, part, isNarrow });

  const changed = useCallback(() => void client.invalidateQueries({ queryKey: ['knowledge'] }), [client]);
  const arrived = useRef(queue.arrived$.value);
  useEffect(() => {
    const subscription = queue.arrived$.subscribe((count) => {
      if (count === arrived.current) return;
      arrived.current = count;
      changed();
    });
    return () => subscription.unsubscribe();
  }, [queue, changed]);

  /** Reports a conflicting change or a lost permission, and refreshes the lists. */
  const tell = useCallback(
    (failure: HttpFailure) => {
      const text =
        failure.status === 404 ? t('gone') : failure.status === 409 ? t('conflict') : failure.message;
      toasts.show({ kind: failure.status === 404 || failure.status === 409 ? 'info' : 'error', text });
      if ([403, 404, 409].includes(failure.status)) changed();
    },
    [t, toasts, changed],
  );
  const reindex = async (one: KnowledgeDocumentInfo) => {
    try {
      await http.post(`/api/knowledge/documents/${encodeURIComponent(one.id)}/reindex`);
      toasts.show({ kind: 'info', text: t('reindex.begun', { name: one.title }) });
      changed();
    } catch (error) {
      tell(asFailure(error));
    }
  };
  const goTo = (next: Part) => setParams(partAddress(params, next), { replace: true });
  const draftFiles = useRef<HTMLInputElement>(null);
  const addFiles = (files: File[], isDraft = false) => {
    if (files.length === 0) return;
    queue.add(files, isDraft, target);
    if (isNarrow && part !== 'documents') goTo('documents');
  };
  const editDocument: DocumentEditing = {
    mayEdit,
    onRename: (document) => setDialog({ kind: 'rename', document }),
    onReindex: reindex,
    onDelete: (document) => setDialog({ kind: 'delete', target: { kind: 'document', document } }),
    onPublish: (document) =>
      setDialog({ kind: 'publish', document, onTry: () => setDialog({ kind: 'try', draft: document }) }),
    ...(known.length > 1 && {
      onMove: (document) => setDialog({ kind: 'move', document }),
    }),
  };
  const openPair = (pair: KnowledgePair | null) => {
    if (pair && (pair.isHandbook || !mayEdit(pair))) return setDialog({ kind: 'view', pair });
    const onDelete = () => pair && setDialog({ kind: 'delete', target: { kind: 'pair', pair } });
    setDialog({ kind: 'pair', pair, onDelete });
  };
  const ofDesk = (): MenuItem[] => [
    ...(list.people
      ? [{ label: t('collections'), icon: 'lock', action: () => setDialog({ kind: 'collections' }) }]
      : []),
    { label: t('synonyms'), icon: 'pencil', action: () => goTo('synonyms') },
  ];
  const editing = {
    onNewPair: () => openPair(null),
    onFiles: addFiles,
    menu: [
      { label: t('pair.new'), icon: 'plus', action: () => openPair(null) },
      { label: t('draft.upload'), icon: 'file', action: () => draftFiles.current?.click() },
      { label: t('try'), icon: 'search', action: () => setDialog({ kind: 'try' }) },
      { label: t('golden'), icon: 'check', action: () => goTo('golden') },
      ...(isEditor ? ofDesk() : []),
      {
        label: ofTarget ? t('export.of', ofTarget) : t('export'),
        icon: 'download',
        action: () =>
          transfer.save({
            label: t('export.running'),
            name: `${t('export.name')}.json`,
            url: archiveUrl('export', target),
          }),
      },
      {
        label: ofTarget ? t('import.into', ofTarget) : t('import'),
        icon: 'open',
        action: () => setDialog({ kind: 'import' }),
      },
    ],
  };
  const close = () => setDialog(null);
  const onGolden = (question: string) => setDialog({ kind: 'golden', golden: null, question });
  const failToLoad = () => {
    toasts.show({ kind: 'error', text: t('dialog.failed') });
    goTo('documents');
  };
  const hasDocuments = documents.list.hasBegun || documents.list.failure !== null;
  const hasAside = openId !== null || (hasInbox && !isNarrow);

  return (
    <DropArea isActive={editsSome && dialog === null} onFiles={addFiles}>
      <KnowledgeHead
        {...(known.length < 2 && { guestsAsk: summary.guestsAsk })}
        {...(editsSome && { editing })}
      />
      {editsSome && (
        <FileInput
          inputRef={draftFiles}
          label={t('draft.upload')}
          onFiles={(files) => addFiles(files, true)}
        />
      )}
      <div className={`fill ${styles.desk}`} data-aside={hasAside || undefined}>
        <div className="column">
          {isNarrow && part !== 'golden' && part !== 'synonyms' && (
            <div className={styles.tabs}>
              <Segments
                label={t('parts')}
                isWide
                value={part ?? 'documents'}
                choices={[
                  { value: 'documents', label: t('documents') },
                  { value: 'pairs', label: t('pairs') },
                  ...(hasInbox
                    ? [{ value: 'inbox' as const, label: inboxLabel(t, summary.unanswered ?? 0) }]
                    : []),
                ]}
                onChange={goTo}
              />
            </div>
          )}
          {known.length > 1 && part !== 'inbox' && part !== 'synonyms' && (
            <CollectionChoice collections={known} value={collection} onChange={setWanted} />
          )}
          {part === 'inbox' ? (
            <Inbox {...{ names, inbox, tell, onGolden }} onChanged={changed} />
          ) : part === 'synonyms' || part === 'golden' ? (
            <div className="scroll grow">
              {part === 'synonyms' ? (
                <Late part={synonymSection} onFailed={failToLoad}>
                  {({ SynonymSection }) => <SynonymSection />}
                </Late>
              ) : (
                <Late part={goldenSection} onFailed={failToLoad}>
                  {({ GoldenSection }) => <GoldenSection {...{ collection, target, names }} />}
                </Late>
              )}
            </div>
          ) : (
            <section className="scroll grow" aria-label={t('title')}>
              {part !== 'pairs' && (
                <DocumentSection
                  {...{ documents, isNarrow, openId, names, queue }}
                  isWhole={part === 'documents'}
                  embedded={summary.embedded}
                  guestsAsk={summary.guestsAsk}
                  isRestricted={target !== '' && chosen?.access !== 'everyone'}
                  {...(editsSome && { editing: { ...editDocument, onFiles: addFiles } })}
                />
              )}
              {/* Rendered once the documents are loaded, because their height is unknown before. */}
              {part !== 'documents' && (part === 'pairs' || hasDocuments) && (
                <PairSection
                  {...{ pairs, isNarrow }}
                  isEditor={editsSome}
                  mayEdit={mayEdit}
                  isWhole={part === 'pairs'}
                  onOpen={openPair}
                  onNew={editing.onNewPair}
                />
              )}
            </section>
          )}
          <TransferStrip transfer={transfer} />
        </div>
        {openId ? (
          <DocumentPanel
            key={openId}
            {...{ id: openId, documents }}
            onOpen={({ id, title }) => setDialog({ kind: 'source', source: { documentId: id, title } })}
            {...(editsSome && { editing: editDocument })}
          />
        ) : (
          hasInbox &&
          !isNarrow && (
            <aside className={styles.aside} aria-label={t('inbox')}>
              <Inbox {...{ names, inbox, tell, onGolden }} onChanged={changed} />
            </aside>
          )
        )}
      </div>
      {dialog && (
        <KnowledgeDialog
          {...{ dialog, list }}
          collection={target}
          onList={(next) => {
            client.setQueryData(collectionsKey, next);
            changed();
          }}
          onClose={close}
          onChanged={changed}
          onDeleted={(id) => {
            documents.list.drop(id);
            pairs.list.drop(id);
            if (id === openId) setParams(partAddress(params, asked), { replace: true });
          }}
          onRefused={(failure) => {
            close();
            tell(failure);
          }}
        />
      )}
    </DropArea>
  );
}

function inboxLabel(t: Translate<KnowledgeTexts>, count: number): string {
  return count > 0 ? `${t('inbox')} ${count > 99 ? '99+' : count}` : t('inbox');
}

interface KnowledgeHeadProps {
  /** undefined while unknown, or if collections answer different people. */
  guestsAsk?: boolean;
  /** Actions of editors; undefined for readers. */
  editing?: { menu: MenuItem[]; onNewPair(): void; onFiles(files: File[]): void };
}

/** Header with title and, for editors, buttons to add knowledge. */
function KnowledgeHead({ guestsAsk, editing }: KnowledgeHeadProps) {
  const t = useTexts(knowledgeTexts);
  return (
    <ScreenHead
      title={t('title')}
      aside={
        guestsAsk !== undefined && (
          <span className="count">{t(guestsAsk ? 'shared.guests' : 'shared.members')}</span>
        )
      }
    >
      {editing && (
        <>
          <Button
            look={`small ${styles.newPair}`}
            icon="plus"
            label={<span className="label">{t('pair.short')}</span>}
            aria-label={t('pair.new')}
            onClick={editing.onNewPair}
          />
          <FilePicker label={t('upload')} className="button small primary" onFiles={editing.onFiles} />
          <MenuButton label={t('more')} items={editing.menu} />
        </>
      )}
    </ScreenHead>
  );
}

const DIALOGS = {
  pair: lateDialog(async () => (await import('./pairs/pair-dialog.tsx')).PairDialog),
  view: lateDialog(async () => (await import('./pairs/pair-view-dialog.tsx')).PairViewDialog),
  delete: lateDialog(async () => (await import('./changes/checked-dialogs.tsx')).DeleteDialog),
  publish: lateDialog(async () => (await import('./changes/checked-dialogs.tsx')).PublishDialog),
  rename: lateDialog(async () => (await import('./documents/document-dialogs.tsx')).RenameDocumentDialog),
  move: lateDialog(async () => (await import('./documents/document-dialogs.tsx')).MoveDialog),
  collections: lateDialog(async () => (await import('./collections-dialog.tsx')).CollectionsDialog),
  try: lateDialog(async () => (await import('./golden/try-dialog.tsx')).TryDialog),
  golden: lateDialog(async () => (await import('./golden/golden-dialog.tsx')).GoldenDialog),
  import: lateDialog(async () => (await import('./import-knowledge.tsx')).ImportKnowledge),
  source: SourceDialog,
};

/** The name of a dialog and its properties. */
type OpenDialog = {
  [Kind in keyof typeof DIALOGS]: { kind: Kind } & Omit<
    ComponentProps<(typeof DIALOGS)[Kind]>,
    keyof DialogContext
  >;
}[keyof typeof DIALOGS];

/** The open dialog, loaded when first opened. */
function KnowledgeDialog({ dialog, ...context }: DialogContext & { dialog: OpenDialog }) {
  const { kind, ...props } = dialog;
  const Dialog = DIALOGS[kind] as ComponentType<DialogContext & typeof props>;
  return <Dialog key={kind} {...context} {...props} />;
}
