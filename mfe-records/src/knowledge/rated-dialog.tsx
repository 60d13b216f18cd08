import { useQuery } from '@tanstack/react-query';
import type { RatedQuestions } from 'api/contract/golden';
import type { HostServices, Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Dialog } from 'host/ui/dialog.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { LoadProblem } from '../lib/load-problem.tsx';
import styles from './golden.module.css';
import type { KnowledgeTexts } from './knowledge-texts.ts';

interface RatedDialogProps {
  services: Pick<HostServices, 'http' | 'toasts'>;
  t: Translate<KnowledgeTexts>;
  onClose(): void;
  onChanged(): void;
}

/** Makes golden questions of the editor's own questions whose answers were rated as helpful. */
export function RatedDialog({ services: { http, toasts }, t, onClose, onChanged }: RatedDialogProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['knowledge', 'golden', 'rated'],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await http.get<RatedQuestions>('/api/knowledge/golden/rated', { signal })).data.rated,
  });
  const { isBusy, run } = useAction({ toasts });
  const add = (one: RatedQuestions['rated'][number]) =>
    run(async () => {
      await http.post('/api/knowledge/golden', one);
      onChanged();
    });
  return (
    <Dialog
      title={t('golden.rated')}
      closeLabel={t('close')}
      onClose={onClose}
      foot={<Button label={t('close')} onClick={onClose} />}
    >
      <p className="quiet">{t('golden.rated.about')}</p>
      {data && data.length > 0 && (
        <ul className={styles.rated}>
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
                label={t('golden.add')}
                aria-disabled={isBusy}
                aria-label={t('golden.addOf', { question: one.question })}
                onClick={() => isBusy || void add(one)}
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
      {!data && error && (
        <LoadProblem
          failure={asFailure(error)}
          title={t('golden.failed')}
          t={t}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <Skeleton label={t('loading')} lines={['most', 'half']} />}
    </Dialog>
  );
}
