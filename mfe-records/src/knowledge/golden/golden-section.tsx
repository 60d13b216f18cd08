import { useQueryClient } from '@tanstack/react-query';
import type {
  GoldenImport,
  GoldenImportReply,
  GoldenList,
  GoldenQuestion,
  RatedQuestions,
} from 'api/contract/golden';
import { Button } from 'host/ui/button.tsx';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { EmptyState } from 'host/ui/problem.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { FirstRead } from '../../lib/load-problem.tsx';
import { useDesk, useRead } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import styles from '../changes/golden.module.css';
import { GoldenChange, ResultLine, trendOf } from '../changes/golden-result.tsx';
import { FilePicker } from '../lib/file-picker.tsx';
import { PartSection } from '../lib/list-section.tsx';
import { GoldenDialog, intoCollection } from './golden-dialog.tsx';

interface GoldenSectionProps {
  /** Id of the only collection to list; '' for all. */
  collection: string;
  /** Id of the collection of new ones; '' is the first one. */
  target: string;
  /** Names of collections by id. */
  names: ReadonlyMap<string, string>;
}

/** Polling intervals in ms during a run and otherwise. Changes by others start runs, too. */
const RUNNING_MS = 1000;
const IDLE_MS = 10_000;
const ORDER = ['worse', 'failing', 'better', 'other', 'waiting', 'same'] as const;
type Open = { kind: 'one'; golden: GoldenQuestion | null } | { kind: 'rated' } | null;

/** Golden questions: the expected answer of each, how it was answered last, and what has changed since the previous run. */
export function GoldenSection({ collection, target, names }: GoldenSectionProps) {
  const { t, http, toasts } = useDesk(knowledgeTexts);
  const client = useQueryClient();
  const [open, setOpen] = useState<Open>(null);
  const query = useRead<GoldenList>('/api/knowledge/golden', {
    queryKey: ['knowledge', 'golden'],
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.isRunning ? RUNNING_MS : IDLE_MS),
  });
  const { data } = query;
  const changed = () => void client.invalidateQueries({ queryKey: ['knowledge', 'golden'] });
  const { isBusy, run } = useAction({ toasts });
  const runAll = () =>
    run(async () => {
      await http.post('/api/knowledge/golden/run');
      changed();
    });
  const importFile = (file: File) =>
    run(async () => {
      const body: GoldenImport = { csv: await file.text(), ...intoCollection(target) };
      const { data } = await http.post<GoldenImportReply>('/api/knowledge/golden/import', body);
      const { added, changed: updated, refused } = data;
      const done = t('golden.imported', { added, updated });
      const rest = refused.length > 0 ? t('golden.imported.refused', { rows: refused.join(', ') }) : '';
      toasts.show({ kind: rest ? 'info' : 'success', text: done + rest });
      changed();
    });

  const golden = (data?.golden ?? []).filter(
    ({ collectionId = 'everyone' }) => collection === '' || collectionId === collection,
  );
  const failing = golden.filter(({ result }) => result?.passes === false).length;
  const rank = (one: GoldenQuestion) => ORDER.indexOf(orderOf(one));
  const isRunning = data?.isRunning ?? false;
  return (
    <PartSection
      title={t('golden')}
      count={
        <>
          {golden.length > 0 && t('golden.count', { count: golden.length })}
          {failing > 0 && t('golden.failing', { count: failing })}
        </>
      }
    >
      <p className={`quiet ${styles.about}`}>{t('golden.about')}</p>
      <div className="line wrap mt-s3 mb-s3">
        <Button
          look="small primary"
          label={t('golden.new')}
          onClick={() => setOpen({ kind: 'one', golden: null })}
        />
        <Button look="small" label={t('golden.rated')} onClick={() => setOpen({ kind: 'rated' })} />
        <FilePicker
          label={t('golden.import')}
          className="button small"
          accept=".csv,.tsv,.txt"
          multiple={false}
          onFiles={([file]) => file && void importFile(file)}
        />
        {golden.length > 0 && (
          <Button look="small" label={t('golden.run')} isOff={isRunning || isBusy} onClick={runAll} />
        )}
        <span role="status" className="quiet">
          {isRunning && t('golden.running')}
        </span>
      </div>
      {golden.length > 0 && (
        <ul className="ruled rule-above rule-below">
          {golden
            .toSorted((one, other) => rank(one) - rank(other))
            .map((one) => (
              <li key={one.id}>
                <GoldenRow
                  golden={one}
                  collection={names.get(one.collectionId ?? '')}
                  onOpen={() => setOpen({ kind: 'one', golden: one })}
                />
              </li>
            ))}
        </ul>
      )}
      {data && golden.length === 0 && (
        <EmptyState role="status" level={3} title={t('golden.empty')} about={t('golden.empty.about')} />
      )}
      <FirstRead
        query={query}
        title={t('golden.failed')}
        label={t('loading')}
        lines={['most', 'half', 'most', 'half']}
      />
      {open?.kind === 'one' && (
        <GoldenDialog
          collection={target}
          golden={open.golden}
          onClose={() => setOpen(null)}
          onChanged={changed}
        />
      )}
      {open?.kind === 'rated' && (
        <RatedDialog collection={target} onClose={() => setOpen(null)} onChanged={changed} />
      )}
    </PartSection>
  );
}

function orderOf(golden: GoldenQuestion): (typeof ORDER)[number] {
  const { result, before } = golden;
  if (!result) return 'waiting';
  const trend = before ? trendOf(before, result) : 'same';
  return trend === 'worse' || result.passes ? trend : 'failing';
}

interface GoldenRowProps {
  golden: GoldenQuestion;
  /** The name of its collection, unless that is the first one. */
  collection: string | undefined;
  onOpen(): void;
}

function GoldenRow({ golden, collection, onOpen }: GoldenRowProps) {
  const t = useTexts(knowledgeTexts);
  const { question, expected, result, before } = golden;
  const wanted =
    expected.outcome === 'refused'
      ? t('golden.expected.refused')
      : [
          expected.cites
            ? t('golden.expected.cites', { title: expected.cites })
            : t('golden.expected.answered'),
          expected.contains && t('golden.expected.contains', { text: expected.contains }),
        ]
          .filter(Boolean)
          .join(' · ');
  return (
    <button className={`unboxed ${styles.row}`} type="button" onClick={onOpen}>
      <span className={styles.state} data-passes={result?.passes}>
        {result && <Icon name={result.passes ? 'check' : 'alert'} />}
        <span className="sr">
          {t(result ? (result.passes ? 'golden.passes' : 'golden.fails') : 'golden.waiting')}
        </span>
      </span>
      <span className="stack gap-2px breakable">
        <b dir="auto">{question}</b>
        <small dir="auto">{collection ? `${collection} · ${wanted}` : wanted}</small>
        {result && before && trendOf(before, result) !== 'same' ? (
          <GoldenChange before={before} after={result} />
        ) : (
          result && <ResultLine result={result} />
        )}
      </span>
      <span className="sr">{t('golden.edit')}</span>
      <Icon name="pencil" className="quiet" />
    </button>
  );
}

interface RatedDialogProps {
  collection: string;
  onClose(): void;
  onChanged(): void;
}

/** Creates golden questions from the editor's own questions whose answers were rated as helpful. */
function RatedDialog({ collection, onClose, onChanged }: RatedDialogProps) {
  const { t, http, toasts } = useDesk(knowledgeTexts);
  const query = useRead<RatedQuestions>('/api/knowledge/golden/rated', {
    queryKey: ['knowledge', 'golden', 'rated'],
    staleTime: 0,
  });
  const data = query.data?.rated;
  const { isBusy, run } = useAction({ toasts });
  const add = (one: RatedQuestions['rated'][number]) =>
    run(async () => {
      await http.post('/api/knowledge/golden', { ...one, ...intoCollection(collection) });
      onChanged();
    });
  return (
    <Dialog
      title={t('golden.rated')}
      onClose={onClose}
      foot={<Button label={t('close')} onClick={onClose} />}
    >
      <p className="quiet">{t('golden.rated.about')}</p>
      {data && data.length > 0 && (
        <ul className="rows">
          {data.map((one) => (
            <li key={one.question}>
              <span>
                <b dir="auto">{one.question}</b>
                {one.expected.cites && (
                  <small dir="auto">{t('golden.expected.cites', { title: one.expected.cites })}</small>
                )}
              </span>
              <Button
                look="small"
                label={t('add')}
                isOff={isBusy}
                aria-label={t('golden.addOf', { question: one.question })}
                onClick={() => void add(one)}
              />
            </li>
          ))}
        </ul>
      )}
      {data?.length === 0 && (
        <p role="status" className="quiet">
          {t('golden.rated.none')}
        </p>
      )}
      <FirstRead query={query} title={t('golden.failed')} label={t('loading')} lines={['most', 'half']} />
    </Dialog>
  );
}
