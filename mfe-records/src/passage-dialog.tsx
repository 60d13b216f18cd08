import type { Citation, Passage } from 'api/contract/answers';
import type { Http, HttpFailure, Translate } from 'host/contract';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { PassageText } from 'host/ui/passage-text.tsx';
import { useEffect, useState } from 'react';
import styles from './passage-dialog.module.css';
import type { RecordWords } from './words.ts';

interface PassageDialogProps {
  citation: Citation;
  t: Translate<RecordWords>;
  http: Http;
  onClose(): void;
}

type Load = { is: 'loading' } | { is: 'failed'; message: string } | { is: 'ready'; passage: Passage };

/** The passage that a source quotes, with the quote highlighted. */
export function PassageDialog({ citation, t, http, onClose }: PassageDialogProps) {
  const [load, setLoad] = useState<Load>({ is: 'loading' });

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    http.get<Passage>(citation.href, { signal }).then(
      ({ data }) => !signal.aborted && setLoad({ is: 'ready', passage: data }),
      (error: HttpFailure) => !signal.aborted && setLoad({ is: 'failed', message: error.message }),
    );
    return () => controller.abort();
  }, [http, citation]);

  return (
    <Dialog title={citation.title} closeLabel={t('close')} isReading onClose={onClose}>
      {load.is === 'loading' && (
        <p className={styles.late} role="status">
          {t('passage.loading')}
        </p>
      )}
      {load.is === 'failed' && (
        <p className="field-note error" role="alert">
          <Icon name="alert" />
          {t('passage.failed')} {load.message}
        </p>
      )}
      {load.is === 'ready' && <PassageText passage={load.passage} quote={citation} />}
    </Dialog>
  );
}
