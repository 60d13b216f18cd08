import { useQuery } from '@tanstack/react-query';
import type { GoldenQuestion, GoldenRequest } from 'api/contract/golden';
import type { KnowledgeDocumentPage, KnowledgePairPage } from 'api/contract/knowledge';
import { Button } from 'host/ui/button.tsx';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useId, useRef, useState } from 'react';
import styles from '../../lib/dialog-parts.module.css';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import type { DialogContext } from '../lib/dialog-context.ts';

export interface GoldenDialogProps extends Pick<DialogContext, 'collection' | 'onClose' | 'onChanged'> {
  /** The golden question; null for a new one. */
  golden: GoldenQuestion | null;
  /** Text of a new golden question. */
  question?: string;
}

const MAX_QUESTION = 8000;
const MAX_TEXT = 500;

/** The part of a request body that names the collection; '' is the first one. */
export const intoCollection = (collection: string) => (collection ? { collectionId: collection } : {});

export function GoldenDialog(props: GoldenDialogProps) {
  const t = useTexts(knowledgeTexts);
  const { golden, collection, question: given = '', onClose, onChanged } = props;
  const { http, toasts } = useServices();
  const id = useId();
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  const [question, setQuestion] = useState(golden?.question ?? given);
  const [expected, setExpected] = useState(
    golden?.expected ?? ({ outcome: 'answered', cites: '', contains: '' } as const),
  );
  const titles = useTitles();
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
      await (golden ? http.put(url, body) : http.post(url, { ...body, ...intoCollection(collection) }));
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
    <ActionDialog
      title={t(golden ? 'golden.edit' : 'golden.new')}
      {...{ isBusy, failure }}
      onClose={onClose}
      onSubmit={() => void (isBusy || save())}
      action={t('save')}
      aside={
        golden && (
          <Button
            look={`danger-quiet bare ${styles.otherAction}`}
            label={t('delete')}
            disabled={isBusy}
            onClick={remove}
          />
        )
      }
    >
      <TextField
        label={t('pair.question')}
        inputRef={first}
        rows={2}
        maxLength={MAX_QUESTION}
        value={question}
        note={t('golden.question.about')}
        onText={setQuestion}
      />
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
          <TextField
            label={t('golden.cites')}
            list={`${id}-titles`}
            maxLength={MAX_QUESTION}
            value={expected.cites}
            onText={(cites) => setExpected({ ...expected, cites })}
          >
            <datalist id={`${id}-titles`}>
              {titles.map((title) => (
                <option key={title} value={title} />
              ))}
            </datalist>
          </TextField>
          <TextField
            label={t('golden.contains')}
            maxLength={MAX_TEXT}
            value={expected.contains}
            onText={(contains) => setExpected({ ...expected, contains })}
          />
        </>
      )}
    </ActionDialog>
  );
}

/** Titles of documents, and questions of pairs, to choose from. */
function useTitles(): string[] {
  const { http } = useServices();
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
