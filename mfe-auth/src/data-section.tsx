import { Button, FileButton } from 'host/ui/button.tsx';
import { formatSize } from 'host/ui/format-size.ts';
import { Icon } from 'host/ui/icon.tsx';
import { ProgressBar } from 'host/ui/progress-bar.tsx';
import { saveFile } from 'host/ui/save-file.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useHold } from 'host/ui/use-hold.ts';
import { useId, useMemo, useRef, useState } from 'react';
import styles from './account.module.css';
import { createAccountData, type TransferOptions, type TransferProgress } from './account-data.ts';
import { FormError } from './form-error.tsx';
import { useServices } from './services.ts';
import { accountTexts } from './texts.ts';

type Action = 'exportAll' | 'exportTable' | 'import';

/** Exports all data of the account, and imports records from such a file. One transfer at a time, which can be cancelled. */
export function DataSection() {
  const t = useTexts(accountTexts);
  const { http, updates } = useServices();
  const data = useMemo(() => createAccountData(http), [http]);
  const id = useId();
  const { isBusy, failure, run, cancel } = useAction();
  const [running, setRunning] = useState<{ action: Action; name: string; progress: TransferProgress }>();
  const [outcome, setOutcome] = useState<{ icon: 'ok' | 'info'; text: string }>();
  const title = useRef<HTMLHeadingElement>(null);
  useHold(updates, isBusy);

  /** `transfer` resolves with the message to show afterwards. */
  const start = (action: Action, name: string, transfer: (options: TransferOptions) => Promise<string>) =>
    run(async (signal) => {
      const onProgress = (progress: TransferProgress) => setRunning({ action, name, progress });
      setOutcome(undefined);
      onProgress({ bytes: 0, fraction: null });
      setOutcome({ icon: 'ok', text: await transfer({ signal, onProgress }) });
    });
  const stop = () => {
    cancel();
    setOutcome({
      icon: 'info',
      text: t(running?.action === 'import' ? 'data.import.stopped' : 'data.stopped'),
    });
    // The cancel button disappears with the transfer.
    title.current?.focus();
  };
  const save = (action: 'exportAll' | 'exportTable') =>
    start(action, '', async (options) => {
      const file = await data[action](options);
      saveFile(file.data, file.name);
      return t('data.saved', { name: file.name });
    });
  const importFrom = (file: File | undefined) => {
    if (!file) return;
    void start('import', file.name, async (options) => {
      const { imported, unchanged, renamed } = await data.importFile(file, options);
      const renamedText = renamed > 0 ? t('data.import.renamed', { count: renamed }) : '';
      return t('data.import.done', { imported: imported + renamed, unchanged }) + renamedText;
    });
  };

  const doing = isBusy && running && t(`data.${running.action}.doing`, { name: running.name });

  return (
    <Section title={t('data')} titleRef={title}>
      <p className="mb-s4 type-small ink-2">{t('data.about')}</p>
      <div className="line wrap mb-s2">
        {(['exportAll', 'exportTable'] as const).map((action) => (
          <Button
            key={action}
            icon="download"
            label={t(`data.${action}`)}
            aria-disabled={isBusy || undefined}
            onClick={() => save(action)}
          />
        ))}
        <FileButton
          icon="file"
          label={t('data.import')}
          accept=".json,application/json"
          disabled={isBusy}
          aria-describedby={`${id}-import`}
          onFile={importFrom}
        />
      </div>
      <p className="field-note" id={`${id}-import`}>
        {t('data.import.about')}
      </p>
      <div className="type-small ink-2" role="status">
        {doing && <p className="mt-s3 clip">{doing}</p>}
        {outcome && (
          <p className="line mt-s3 breakable">
            <Icon name={outcome.icon} className="icon-s" />
            {outcome.text}
          </p>
        )}
      </div>
      {doing && (
        <div className={styles.transfer}>
          <Progress progress={running!.progress} label={doing} />
          <Button look="small" label={t('cancel')} onClick={stop} />
        </div>
      )}
      <FormError text={failure?.message ?? ''} />
    </Section>
  );
}

/** A progress bar if the length is known, otherwise the size so far. */
function Progress({ progress: { bytes, fraction }, label }: { progress: TransferProgress; label: string }) {
  if (fraction === null) return <span className="num quiet">{formatSize(bytes)}</span>;
  const percent = Math.round(100 * fraction);
  return (
    <>
      <ProgressBar className="grow" label={label} value={percent} />
      <span className="num quiet">{percent}%</span>
    </>
  );
}
