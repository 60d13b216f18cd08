import { Icon } from 'host/ui/icon.tsx';
import { useRef, useState, useSyncExternalStore } from 'react';
import { TimeoutError } from '../remotes/run-module.ts';
import { useDesk } from './desk.ts';
import { useRoom } from './use-room.ts';
import { useSay } from './use-say.ts';

/**
 * Says that files of the screen, or of the host, did not load, and offers a retry; the screen stays as it is. Its live region stands
 * from the start.
 */
export function MissingParts({ remote }: { remote: string | undefined }) {
  const { loader } = useDesk();
  const say = useSay();
  const all = useSyncExternalStore(loader.watchMissing, loader.missing);
  const files = all.filter((file) => file.remote === 'host' || file.remote === remote);
  const [isBusy, setBusy] = useState(false);
  const hasFailed = useRef(false);
  const notice = useRef<HTMLDivElement>(null);
  useRoom(notice, '--missing');

  const retry = async () => {
    if (isBusy) return;
    setBusy(true);
    const results = await Promise.allSettled(files.map((file) => file.retry()));
    setBusy(false);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    // A browser that still waits for a file, has parsed a broken one or remembers that it failed asks for it again in a new page only.
    if (errors.some((error) => hasFailed.current || isFinal(error))) location.reload();
    hasFailed.current = errors.length > 0;
    if (errors.length === 0 && (document.activeElement ?? document.body) === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  };

  return (
    <div ref={notice} className="notice" role="status">
      {files.length > 0 && (
        <div className="banner">
          <Icon name="alert" />
          <p>{say('missingPart')}</p>
          <button className="button" type="button" aria-disabled={isBusy} onClick={retry}>
            {say(isBusy ? 'retrying' : 'retry')}
          </button>
        </div>
      )}
    </div>
  );
}

function isFinal(error: unknown): boolean {
  return error instanceof TimeoutError || error instanceof SyntaxError;
}
