import { useQuery } from '@tanstack/react-query';
import type { GoldenQuestion, GoldenRequest } from 'api/contract/golden';
import type { KnowledgeDocumentPage, KnowledgePairPage } from 'api/contract/knowledge';
import type { HostServices, Translate } from 'host/contract';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useId, useRef, useState } from 'react';
import type { KnowledgeTexts } from './knowledge-texts.ts';
import styles from './pairs.module.css';

interface GoldenDialogProps {
  services: Pick<HostServices, 'http' | 'toasts'>;
  t: Translate<KnowledgeTexts>;
  /** null for a new one. */
  golden: GoldenQuestion | null;
  /** Text of a new one. */
  question?: string;
  onClose(): void;
  onChanged(): void;
}

const MAX_QUESTION = 8000;
const MAX_TEXT = 500;

/** Edits a golden question and what is expected of its answer. */
export function GoldenDialog(props: GoldenDialogProps) {
  const { services, t, golden, question: given = '', onClose, onChanged } = props;
  const { http, toasts } = services;
  const id = useId();
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  const [question, setQuestion] = useState(golden?.question ?? given);
  const [expected, setExpected] = useState(
    golden?.expected ?? ({ outcome: 'answered', cites: '', contains: '' } as const),
  );
  const titles = useTitles(http);
  const { isBusy, failure, run } = useAction();
  const url = golden ? `/api/knowledge/golden/${encodeURIComponent(golden.id)}` : '/api/knowledge/golden';
  const end = () => {
    onChanged();
    onClose();
  };
  const save = () =>
    run(async () => {
      const body: GoldenRequest = { question: question.trim(), expected };
      if (body.question === '') throw new Error(t('pair.missing.question'));
      await (golden ? http.put(url, body) : http.post(url, body));
      toasts.show({ kind: 'success', text: t('golden.saved') });
      end();
    });
  const remove = () =>
    run(async () => {
      await http.delete(url);
      toasts.show({ kind: 'success', text: t('golden.deleted') });
      end();
    });
  return (
    <Dialog
      title={t(golden ? 'golden.edit' : 'golden.new')}
      closeLabel={t('close')}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={() => void (isBusy || save())}
      foot={
        <>
          {golden && (
            <button
              className={`button danger-quiet bare ${styles.delete}`}
              type="button"
              disabled={isBusy}
              onClick={() => void remove()}
            >
              {t('delete')}
            </button>
          )}
          <button className="button" type="button" disabled={isBusy} onClick={onClose}>
            {t('cancel')}
          </button>
          <button className="button primary" type="submit" aria-disabled={isBusy}>
            {t('pair.save')}
          </button>
        </>
      }
    >
      <div className="field">
        <label htmlFor={`${id}-question`}>{t('pair.question')}</label>
        <textarea
          ref={first}
          id={`${id}-question`}
          className="input"
          dir="auto"
          rows={2}
          maxLength={MAX_QUESTION}
          value={question}
          aria-describedby={`${id}-about`}
          onChange={({ target }) => setQuestion(target.value)}
        />
        <p id={`${id}-about`} className="field-note">
          {t('golden.question.about')}
        </p>
      </div>
      <Segments
        label={t('golden.expected')}
        value={expected.outcome}
        choices={[
          { value: 'answered', label: t('golden.expected.answered') },
          { value: 'refused', label: t('golden.expected.refused') },
        ]}
        onChange={(outcome) => setExpected({ ...expected, outcome })}
      />
      {expected.outcome === 'answered' && (
        <>
          <div className="field">
            <label htmlFor={`${id}-cites`}>{t('golden.cites')}</label>
            <input
              id={`${id}-cites`}
              className="input"
              dir="auto"
              list={`${id}-titles`}
              maxLength={MAX_QUESTION}
              value={expected.cites}
              onChange={({ target }) => setExpected({ ...expected, cites: target.value })}
            />
            <datalist id={`${id}-titles`}>
              {titles.map((title) => (
                <option key={title} value={title} />
              ))}
            </datalist>
          </div>
          <div className="field">
            <label htmlFor={`${id}-contains`}>{t('golden.contains')}</label>
            <input
              id={`${id}-contains`}
              className="input"
              dir="auto"
              maxLength={MAX_TEXT}
              value={expected.contains}
              onChange={({ target }) => setExpected({ ...expected, contains: target.value })}
            />
          </div>
        </>
      )}
      {failure && (
        <p className="field-note error" role="alert">
          <Icon name="alert" />
          {failure.message}
        </p>
      )}
    </Dialog>
  );
}

/** Titles of documents, and questions of pairs, to choose from. */
function useTitles(http: HostServices['http']): string[] {
  const { data } = useQuery({
    queryKey: ['knowledge', 'titles'],
    queryFn: async ({ signal }) => {
      const options = { params: { limit: 100 }, signal };
      const [documents, pairs] = await Promise.all([
        http.get<KnowledgeDocumentPage>('/api/knowledge/documents', options),
        http.get<KnowledgePairPage>('/api/knowledge/pairs', options),
      ]);
      const titles = documents.data.documents.map(({ title }) => title);
      return [...new Set([...titles, ...pairs.data.pairs.map(({ question }) => question)])];
    },
  });
  return data ?? [];
}
