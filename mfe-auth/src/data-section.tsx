import type { Translate, Updates } from 'host/contract';
import { Button, FileButton } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { formatSize } from 'host/ui/format-size.ts';
import { Icon } from 'host/ui/icon.tsx';
import { saveFile } from 'host/ui/save-file.ts';
import { Section } from 'host/ui/section.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { useEffect, useId, useRef, useState } from 'react';
import styles from './account.module.css';
import type { AccountData, TransferOptions, TransferProgress } from './account-data.ts';
import type { AccountTexts } from './account-texts.ts';

interface DataSectionProps {
  data: AccountData;
  updates: Updates;
  t: Translate<AccountTexts>;
}

type Action = 'exportAll' | 'exportTable' | 'import';
type State =
  | { status: 'idle' }
  | { status: 'running'; action: Action; name: string; progress: TransferProgress }
  | { status: 'done' | 'stopped'; text: string }
  | { status: 'failed'; text: string };

/** Exports all data of the account, and imports records from such a file. One transfer at a time, which can be cancelled. */
export function DataSection({ data, updates, t }: DataSectionProps) {
  const id = useId();
  const [state, setState] = useState<State>({ status: 'idle' });
  const controller = useRef<AbortController | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const isRunning = state.status === 'running';
  useHold(updates, isRunning);

  /** `transfer` resolves with the message to show afterwards. */
  const run = async (
    action: Action,
    name: string,
    transfer: (options: TransferOptions) => Promise<string>,
  ) => {
    if (controller.current) return;
    const abort = new AbortController();
    controller.current = abort;
    const onProgress = (progress: TransferProgress) =>
      setState({ status: 'running', action, name, progress });
    onProgress({ bytes: 0, fraction: null });
    try {
      const text = await transfer({ signal: abort.signal, onProgress });
      setState({ status: 'done', text });
    } catch (error) {
      const stopped = t(action === 'import' ? 'data.import.stopped' : 'data.stopped');
      setState(
        abort.signal.aborted
          ? { status: 'stopped', text: stopped }
          : { status: 'failed', text: asFailure(error).message },
      );
    } finally {
      controller.current = null;
    }
  };
  const cancel = () => {
    controller.current?.abort();
    // The cancel button disappears with the transfer.
    title.current?.focus();
  };
  const save = (action: 'exportAll' | 'exportTable') =>
    run(action, '', async (options) => {
      const file = await data[action](options);
      saveFile(file.data, file.name);
      return t('data.saved', { name: file.name });
    });
  const importFrom = (file: File | undefined) => {
    if (!file) return;
    void run('import', file.name, async (options) => {
      const { imported, unchanged, renamed } = await data.importFile(file, options);
      const renamedText = renamed > 0 ? t('data.import.renamed', { count: renamed }) : '';
      return t('data.import.done', { imported: imported + renamed, unchanged }) + renamedText;
    });
  };

  return (
    <Section title={t('data')} titleRef={title}>
      <p className="mb-s4 type-small ink-2">{t('data.about')}</p>
      <div className="line wrap mb-s2">
        {(['exportAll', 'exportTable'] as const).map((action) => (
          <Button
            key={action}
            icon="download"
            label={t(`data.${action}`)}
            aria-disabled={isRunning || undefined}
            onClick={() => save(action)}
          />
        ))}
        <FileButton
          icon="file"
          label={t('data.import')}
          accept=".json,application/json"
          disabled={isRunning}
          aria-describedby={`${id}-import`}
          onFile={importFrom}
        />
      </div>
      <p className="field-note" id={`${id}-import`}>
        {t('data.import.about')}
      </p>
      <div className="type-small ink-2" role="status">
        {state.status === 'running' && (
          <p className="mt-s3 clip">{t(`data.${state.action}.doing`, { name: state.name })}</p>
        )}
        {(state.status === 'done' || state.status === 'stopped') && (
          <p className="line mt-s3 breakable">
            <Icon name={state.status === 'done' ? 'ok' : 'info'} className="icon-s" />
            {state.text}
          </p>
        )}
      </div>
      {state.status === 'running' && (
        <div className={styles.transfer}>
          <Progress progress={state.progress} label={t(`data.${state.action}.doing`, { name: state.name })} />
          <Button look="small" label={t('data.cancel')} onClick={cancel} />
        </div>
      )}
      <p className={`field-note error ${styles.error}`} role="alert">
        {state.status === 'failed' && (
          <>
            <Icon name="alert" />
            {state.text}
          </>
        )}
      </p>
    </Section>
  );
}

/** A progress bar if the length is known, otherwise the size so far. */
function Progress({ progress: { bytes, fraction }, label }: { progress: TransferProgress; label: string }) {
  if (fraction === null) return <span className="num quiet">{formatSize(bytes)}</span>;
  const percent = Math.round(100 * fraction);
  return (
    <>
      <span
        className={'progress grow'}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <i style={{ width: `${percent}%` }} />
      </span>
      <span className="num quiet">{percent}%</span>
    </>
  );
}
