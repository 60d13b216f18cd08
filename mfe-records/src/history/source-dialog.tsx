import type { Citation, Passage } from 'api/contract/answers';
import type { Http, HttpFailure, Translate } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { PassageDialog } from 'host/ui/passage-dialog.tsx';
import { useEffect, useState } from 'react';
import type { RecordTexts } from '../texts.ts';
import styles from './source-dialog.module.css';

interface SourceDialogProps {
  citation: Citation;
  t: Translate<RecordTexts>;
  http: Http;
  onClose(): void;
}

type Load =
  | { status: 'loading' }
  | { status: 'failed'; message: string }
  | { status: 'ready'; passage: Passage };

/** The passage that a source quotes, with the quote highlighted. */
export function SourceDialog({ citation, t, http, onClose }: SourceDialogProps) {
  const [load, setLoad] = useState<Load>({ status: 'loading' });

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    http.get<Passage>(citation.href, { signal }).then(
      ({ data }) => !signal.aborted && setLoad({ status: 'ready', passage: data }),
      (error: HttpFailure) => !signal.aborted && setLoad({ status: 'failed', message: error.message }),
    );
    return () => controller.abort();
  }, [http, citation]);

  return (
    <PassageDialog
      title={citation.title}
      closeLabel={t('close')}
      quote={citation}
      passage={load.status === 'ready' ? load.passage : undefined}
      onClose={onClose}
    >
      {load.status === 'loading' && (
        <p className={styles.late} role="status">
          {t('passage.loading')}
        </p>
      )}
      {load.status === 'failed' && (
        <p className="field-note error" role="alert">
          <Icon name="alert" />
          {t('passage.failed')} {load.message}
        </p>
      )}
    </PassageDialog>
  );
}
