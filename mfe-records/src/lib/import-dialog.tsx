import type { Http, HttpFailure, Translate } from 'host/contract';
import { Button, FileButton } from 'host/ui/button.tsx';
import { Dialog } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { ProgressBar } from 'host/ui/progress-bar.tsx';
import { useEffect, useRef, useState } from 'react';
import styles from './dialog-parts.module.css';
import { Fact } from './fact.tsx';
import { useServices } from './services.ts';
import type { RecordTexts } from './texts.ts';

/** Texts of the screen, in addition to those of all imports. */
type OwnTexts = Record<
  | 'import.title'
  | 'import.about'
  | 'import.notArchive'
  | 'import.empty'
  | 'import.ready'
  | 'import.do'
  | 'import.running'
  | 'import.stopped'
  | 'import.failed',
  unknown
>;

/** A chosen file: its slices, and the numbers for the text 'import.ready'. */
export interface ImportFile {
  slices: Slice[];
  numbers: Readonly<Record<string, number>>;
}

interface ImportDialogProps<P extends string> {
  /** Translator of the screen, which also has the texts of its import. */
  t: Translate<RecordTexts & OwnTexts & Record<`import.${NoInfer<P>}`, unknown>>;
  url: string;
  /** Names of the counts in the replies that are shown at the end, each with the text `import.<part>`. */
  parts: readonly P[];
  /** Parses a file; undefined if it was not exported by this screen. */
  read(text: string): ImportFile | undefined;
  onClose(): void;
  onImported(): void;
}

type Step =
  | { status: 'choose'; wrong?: string }
  | { status: 'reading'; name: string }
  | { status: 'ready' | 'running' | 'done' | 'stopped' }
  | { status: 'failed'; message: string };

/** Imports an exported JSON file in slices; can be stopped and continued. */
export function ImportDialog<P extends string>(props: ImportDialogProps<P>) {
  const { http } = useServices();
  const { t, url, parts, read, onClose, onImported } = props;
  const [step, setStep] = useState<Step>({ status: 'choose' });
  const [file, setFile] = useState<(ImportFile & { name: string; count: number }) | null>(null);
  const [progress, setProgress] = useState<ImportProgress>(nothingImported);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    const { name } = chosen;
    setStep({ status: 'reading', name });
    const found = read(await chosen.text());
    if (!found) return setStep({ status: 'choose', wrong: t('import.notArchive') });
    const count = found.slices.reduce((sum, slice) => sum + slice.count, 0);
    if (count === 0) return setStep({ status: 'choose', wrong: t('import.empty', { name }) });
    setFile({ ...found, name, count });
    setProgress(nothingImported);
    setStep({ status: 'ready' });
  };
  const run = async () => {
    if (!file) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    controller.current = leaving;
    setStep({ status: 'running' });
    try {
      await importSlices(http, url, file.slices, progress, { signal, onProgress: setProgress });
      setStep({ status: 'done' });
    } catch (error) {
      const { message } = error as HttpFailure;
      setStep(signal.aborted ? { status: 'stopped' } : { status: 'failed', message });
    }
    onImported();
  };
  const isRunning = step.status === 'running';
  const canRun = step.status === 'ready' || step.status === 'stopped' || step.status === 'failed';
  const canChoose = step.status === 'choose' || step.status === 'reading' || step.status === 'ready';
  const { done, counts } = progress;
  const { count = 0, name = '', numbers = {} } = file ?? {};
  const running = t('import.running', { done, count });
  const to = done + (file?.slices[progress.slices]?.count ?? 1);

  return (
    <Dialog
      title={t('import.title')}
      isBusy={isRunning}
      onClose={onClose}
      foot={
        <>
          <Button
            label={t(isRunning ? 'import.stop' : step.status === 'done' ? 'close' : 'cancel')}
            onClick={() => (isRunning ? controller.current?.abort() : onClose())}
          />
          {canRun && file && (
            <Button
              look="primary"
              label={t(step.status === 'ready' ? 'import.do' : 'import.goOn', { count })}
              onClick={run}
            />
          )}
        </>
      }
    >
      {canChoose && (
        <>
          <p>{t('import.about')}</p>
          <FileButton
            icon="file"
            label={t('import.choose')}
            accept=".json,application/json"
            onFile={(chosen) => void choose(chosen)}
          />
        </>
      )}
      <div aria-live="polite" className={`stack gap-s3 ${styles.preview}`}>
        {step.status === 'choose' && step.wrong && <Fault isQuiet>{step.wrong}</Fault>}
        {step.status === 'reading' && <p className="late">{t('import.reading', { name: step.name })}</p>}
        {step.status === 'ready' && <p>{t('import.ready', { ...numbers, name })}</p>}
        {isRunning && (
          <>
            <p>{running}</p>
            <ProgressBar label={running} value={done} most={count} />
          </>
        )}
        {step.status === 'stopped' && <p>{t('import.stopped', { done })}</p>}
        {step.status === 'failed' && (
          <Fault isQuiet>{t('import.failed', { from: done + 1, to, message: step.message, done })}</Fault>
        )}
        {step.status === 'done' && (
          <>
            <p>
              <Icon name="ok" className="icon-s" /> {t('import.done')}
            </p>
            <dl className={styles.what}>
              {parts.map((part) => (
                <Fact key={part} name={t(`import.${part}`)}>
                  {counts[part] ?? 0}
                </Fact>
              ))}
            </dl>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** A part of an exported file for one call. */
interface Slice {
  /** Number of items in the slice, at least one. */
  count: number;
  body: object;
}

/** A call has about this many UTF-16 units of JSON; a longer item is sent alone. */
const sliceUnits = 2_000_000;

/** The content of an exported file of this format with these lists; undefined for any other file. */
export function readArchive<T extends { format: string }>(
  text: string,
  format: T['format'],
  lists: readonly (keyof T)[],
): T | undefined {
  try {
    const data = JSON.parse(text.replace(/^\ufeff/, ''));
    const isOne = data?.format === format && data.version === 1;
    return isOne && lists.every((list) => Array.isArray(data[list])) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Groups the items of an archive for one call each, in their order, at most `most` of them. */
export function sliceItems<T>(items: readonly T[], most: number): T[][] {
  const slices: T[][] = [];
  let units = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (units + size > sliceUnits || slices.at(-1)?.length === most) {
      slices.push([]);
      units = 0;
    }
    slices.at(-1)!.push(item);
    units += size;
  }
  return slices;
}

export interface ImportProgress {
  /** Number of imported slices, and of the items in them. */
  slices: number;
  done: number;
  /** Sums of the numbers in the replies. */
  counts: Readonly<Record<string, number>>;
}

export const nothingImported: ImportProgress = { slices: 0, done: 0, counts: {} };

/**
 * Sends the slices one after the other, starting at `progress`, and reports each that was imported. Rejects with the
 * HttpFailure of the first that fails; earlier slices stay imported, and continuing from there loses and duplicates
 * nothing.
 */
export async function importSlices(
  http: Http,
  url: string,
  slices: readonly Slice[],
  progress: ImportProgress,
  { signal, onProgress }: { signal: AbortSignal; onProgress(progress: ImportProgress): void },
): Promise<void> {
  let now = progress;
  for (const { count, body } of slices.slice(progress.slices)) {
    const { data } = await http.post<Record<string, unknown>>(url, body, { signal });
    const counts = { ...now.counts };
    for (const [name, value] of Object.entries(data))
      if (typeof value === 'number') counts[name] = (counts[name] ?? 0) + value;
    now = { slices: now.slices + 1, done: now.done + count, counts };
    onProgress(now);
  }
}
