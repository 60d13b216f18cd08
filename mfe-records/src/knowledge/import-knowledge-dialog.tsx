import type { KnowledgeArchive } from 'api/contract/knowledge';
import type { HostServices, HttpFailure, Translate } from 'host/contract';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useEffect, useRef, useState } from 'react';
import {
  countOf,
  importKnowledge,
  type KnowledgeProgress,
  NOTHING_IN,
  readKnowledge,
  sliceKnowledge,
} from './import-knowledge.ts';
import type { KnowledgeTexts } from './knowledge-texts.ts';
import styles from './pairs.module.css';

interface ImportKnowledgeDialogProps {
  services: Pick<HostServices, 'http'>;
  t: Translate<KnowledgeTexts>;
  onClose(): void;
  onImported(): void;
}

type Step =
  | { status: 'choose'; wrong?: string }
  | { status: 'reading'; name: string }
  | { status: 'ready' | 'running' | 'done' | 'stopped' }
  | { status: 'failed'; message: string };

/** Imports knowledge from an exported JSON file, in slices; can be cancelled and continued. */
export function ImportKnowledgeDialog(props: ImportKnowledgeDialogProps) {
  const {
    services: { http },
    t,
    onClose,
    onImported,
  } = props;
  const [step, setStep] = useState<Step>({ status: 'choose' });
  const [file, setFile] = useState<{ name: string; archive: KnowledgeArchive } | null>(null);
  const [progress, setProgress] = useState<KnowledgeProgress>(NOTHING_IN);
  const slices = useRef<KnowledgeArchive[]>([]);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setStep({ status: 'reading', name: chosen.name });
    const archive = readKnowledge(await chosen.text());
    if (!archive) return setStep({ status: 'choose', wrong: t('import.notArchive') });
    if (countOf(archive) === 0)
      return setStep({ status: 'choose', wrong: t('import.empty', { name: chosen.name }) });
    slices.current = sliceKnowledge(archive);
    setFile({ name: chosen.name, archive });
    setProgress(NOTHING_IN);
    setStep({ status: 'ready' });
  };
  const run = async () => {
    const leaving = new AbortController();
    controller.current = leaving;
    const { signal } = leaving;
    setStep({ status: 'running' });
    try {
      await importKnowledge(http, slices.current, progress, { signal, onProgress: setProgress });
      setStep({ status: 'done' });
    } catch (error) {
      setStep(
        signal.aborted
          ? { status: 'stopped' }
          : { status: 'failed', message: (error as HttpFailure).message },
      );
    }
    onImported();
  };
  const isRunning = step.status === 'running';
  const canRun = step.status === 'ready' || step.status === 'stopped' || step.status === 'failed';
  const canChoose = step.status === 'choose' || step.status === 'reading' || step.status === 'ready';
  const count = file ? countOf(file.archive) : 0;
  const { done } = progress;
  const running = t('import.running', { done, count });

  return (
    <Dialog
      title={t('import.title')}
      closeLabel={t('close')}
      isBusy={isRunning}
      onClose={onClose}
      foot={
        <>
          <button
            className="button"
            type="button"
            onClick={() => (isRunning ? controller.current?.abort() : onClose())}
          >
            {t(isRunning ? 'import.stop' : step.status === 'done' ? 'close' : 'cancel')}
          </button>
          {canRun && file && (
            <button className="button primary" type="button" onClick={run}>
              {t(step.status === 'ready' ? 'import.do' : 'import.goOn')}
            </button>
          )}
        </>
      }
    >
      {canChoose && (
        <>
          <p>{t('import.about')}</p>
          <label className={`button ${styles.choose}`}>
            <Icon name="file" className="icon-s" />
            {t('import.choose')}
            <input
              className="sr"
              type="file"
              accept=".json,application/json"
              onChange={({ target }) => {
                void choose(target.files?.[0]);
                target.value = '';
              }}
            />
          </label>
        </>
      )}
      <div aria-live="polite" className={styles.progress}>
        {step.status === 'choose' && step.wrong && (
          <p className="field-note error">
            <Icon name="alert" />
            {step.wrong}
          </p>
        )}
        {step.status === 'reading' && (
          <p className={styles.late}>{t('import.reading', { name: step.name })}</p>
        )}
        {step.status === 'ready' && file && (
          <p>
            {t('import.ready', {
              name: file.name,
              documents: file.archive.documents.length,
              pairs: file.archive.pairs.length,
            })}
          </p>
        )}
        {isRunning && (
          <>
            <p>{running}</p>
            <span
              className="progress"
              role="progressbar"
              aria-label={running}
              aria-valuemin={0}
              aria-valuemax={count}
              aria-valuenow={done}
            >
              <i style={{ width: `${(100 * done) / count}%` }} />
            </span>
          </>
        )}
        {step.status === 'stopped' && <p>{t('import.stopped', { done })}</p>}
        {step.status === 'failed' && (
          <p className="field-note error">
            <Icon name="alert" />
            {t('import.failed', { message: step.message, done })}
          </p>
        )}
        {step.status === 'done' && (
          <>
            <p>
              <Icon name="ok" className="icon-s" /> {t('import.done')}
            </p>
            <dl className={styles.what}>
              {(['documents', 'pairs', 'unchanged'] as const).map((part) => (
                <div key={part}>
                  <dt>{t(`import.${part}`)}</dt>
                  <dd>{progress[part]}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </div>
    </Dialog>
  );
}
