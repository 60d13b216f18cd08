import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useRef, useState } from 'react';
import { TimeoutError } from '../remotes/run-module.ts';
import { Notice } from './notice.tsx';
import { useFrameTranslate, useShell } from './shell.ts';

/** Reports that files of the screen or the host failed to load and offers a retry; the screen stays. */
export function MissingParts({ remote }: { remote: string | undefined }) {
  const { loader } = useShell();
  const t = useFrameTranslate();
  const all = useStream(loader.missing$);
  const files = all.filter((file) => file.remote === 'host' || file.remote === remote);
  const [isBusy, setBusy] = useState(false);
  const hasFailed = useRef(false);

  const retry = async () => {
    if (isBusy) return;
    setBusy(true);
    const results = await Promise.allSettled(files.map((file) => file.retry()));
    setBusy(false);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    // Browsers request a file again only in a new page if they still wait for it, could not parse it, or remember that it failed.
    if (errors.some((error) => hasFailed.current || isFinal(error))) location.reload();
    hasFailed.current = errors.length > 0;
    if (errors.length === 0 && (document.activeElement ?? document.body) === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  };

  return (
    <Notice property="--missing">
      {files.length > 0 && (
        <div className="banner">
          <Icon name="alert" />
          <p>{t('missingPart')}</p>
          <button className="button" type="button" aria-disabled={isBusy} onClick={retry}>
            {t(isBusy ? 'retrying' : 'retry')}
          </button>
        </div>
      )}
    </Notice>
  );
}

function isFinal(error: unknown): boolean {
  return error instanceof TimeoutError || error instanceof SyntaxError;
}
