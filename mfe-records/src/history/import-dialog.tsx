import type { RecordArchive } from 'api/contract/archives';
import type { HostServices, HttpFailure, Translate } from 'host/contract';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useEffect, useRef, useState } from 'react';
import styles from './dialogs.module.css';
import type { HistoryTexts } from './history-texts.ts';
import {
  type ImportProgress,
  importSlices,
  NOTHING_IMPORTED,
  readArchive,
  sliceArchive,
} from './import-records.ts';

interface ImportDialogProps {
  services: Pick<HostServices, 'http'>;
  t: Translate<HistoryTexts>;
  onClose(): void;
  onImported(): void;
}

type Step =
  | { status: 'choose'; wrong?: string }
  | { status: 'reading'; name: string }
  | { status: 'ready' | 'running' | 'done' | 'stopped' }
  | { status: 'failed'; message: string };

/** Imports records from an exported JSON file, in slices; can be cancelled and continued. */
export function ImportDialog({ services: { http }, t, onClose, onImported }: ImportDialogProps) {
  const [step, setStep] = useState<Step>({ status: 'choose' });
  const [file, setFile] = useState<{ name: string; count: number; slices: RecordArchive[] } | null>(null);
  const [progress, setProgress] = useState<ImportProgress>(NOTHING_IMPORTED);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setStep({ status: 'reading', name: chosen.name });
    const archive = readArchive(await chosen.text());
    if (!archive) return setStep({ status: 'choose', wrong: t('import.notArchive') });
    const count = archive.records.length;
    if (count === 0) return setStep({ status: 'choose', wrong: t('import.empty', { name: chosen.name }) });
    setFile({ name: chosen.name, count, slices: sliceArchive(archive) });
    setProgress(NOTHING_IMPORTED);
    setStep({ status: 'ready' });
  };
  const run = async () => {
    if (!file) return;
    const leaving = new AbortController();
    controller.current = leaving;
    setStep({ status: 'running' });
    try {
      await importSlices(http, file.slices, progress, { signal: leaving.signal, onProgress: setProgress });
      setStep({ status: 'done' });
    } catch (error) {
      setStep(
        leaving.signal.aborted
          ? { status: 'stopped' }
          : { status: 'failed', message: (error as HttpFailure).message },
      );
    }
    onImported();
  };
  const isRunning = step.status === 'running';
  const canRun = step.status === 'ready' || step.status === 'stopped' || step.status === 'failed';
  const nextSlice = file?.slices[progress.slices];

  return (
    <Dialog
      title={t('import.title')}
      closeLabel={t('close')}
      isBusy={isRunning}
      onClose={onClose}
      foot={
        <>
          {isRunning ? (
            <button className="button" type="button" onClick={() => controller.current?.abort()}>
              {t('import.stop')}
            </button>
          ) : (
            <button className="button" type="button" onClick={onClose}>
              {t(step.status === 'done' ? 'close' : 'cancel')}
            </button>
          )}
          {canRun && file && (
            <button className="button primary" type="button" onClick={run}>
              {step.status === 'ready' ? t('import.do', { count: file.count }) : t('import.goOn')}
            </button>
          )}
        </>
      }
    >
      {(step.status === 'choose' || step.status === 'reading' || step.status === 'ready') && (
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
      <div aria-live="polite" className={styles.preview}>
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
          <p>{t('import.ready', { count: file.count, name: file.name })}</p>
        )}
        {isRunning && file && <Running done={progress.done} count={file.count} t={t} />}
        {step.status === 'stopped' && <p>{t('import.stopped', { done: progress.done })}</p>}
        {step.status === 'failed' && (
          <p className="field-note error">
            <Icon name="alert" />
            {t('import.failed', {
              from: progress.done + 1,
              to: progress.done + (nextSlice?.records.length ?? 1),
              message: step.message,
              done: progress.done,
            })}
          </p>
        )}
        {step.status === 'done' && (
          <>
            <p>
              <Icon name="ok" className="icon-s" /> {t('import.done')}
            </p>
            <dl className={styles.what}>
              {(['imported', 'unchanged'] as const).map((part) => (
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

function Running({ done, count, t }: { done: number; count: number; t: Translate<HistoryTexts> }) {
  const text = t('import.running', { done, count });
  return (
    <>
      <p>{text}</p>
      <span
        className="progress"
        role="progressbar"
        aria-label={text}
        aria-valuemin={0}
        aria-valuemax={count}
        aria-valuenow={done}
      >
        <i style={{ width: `${(100 * done) / count}%` }} />
      </span>
    </>
  );
}
