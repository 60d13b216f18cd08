import { useQueryClient } from '@tanstack/react-query';
import type { KnowledgeChange, KnowledgeCheck } from 'api/contract/knowledge';
import type { SynonymChange, SynonymList } from 'api/contract/synonyms';
import { Button } from 'host/ui/button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useHold } from 'host/ui/use-hold.ts';
import { useState } from 'react';
import { FirstRead } from '../lib/load-problem.tsx';
import { useDesk, useRead } from '../lib/services.ts';
import { knowledgeTexts } from '../lib/texts.ts';
import { ChangedAnswers } from './changes/changed-answers.tsx';
import { AnswerChange, ChangedQuestions } from './changes/golden-result.tsx';
import { PartSection } from './lib/list-section.tsx';

const URL = '/api/knowledge/synonyms';

/** Words with the same meaning, one group per line, and which answers a change would alter. */
export function SynonymSection() {
  const t = useTexts(knowledgeTexts);
  const query = useRead<SynonymList>(URL, {
    queryKey: ['synonyms'],
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const { data } = query;
  return (
    <PartSection
      title={t('synonyms')}
      count={data && data.groups.length > 0 && t('synonyms.count', { count: data.groups.length })}
    >
      {data && <SynonymForm list={data} />}
      <FirstRead
        query={query}
        title={t('synonyms.failed')}
        label={t('loading')}
        lines={['most', 'half', 'most']}
      />
    </PartSection>
  );
}

function SynonymForm({ list }: { list: SynonymList }) {
  const { t, http, toasts, updates } = useDesk(knowledgeTexts);
  const client = useQueryClient();
  const saved = textOf(list.groups);
  /** Text that is not saved, and the revision of the list that it was written from. */
  const [draft, setDraft] = useState<{ text: string; revision: number } | null>(null);
  const { text, revision } = draft ?? { text: saved, revision: list.revision };
  const [check, setCheck] = useState<{ text: string; result: KnowledgeCheck } | null>(null);
  const isChanged = text !== saved;
  useHold(updates, isChanged);
  const { isBusy, failure, run } = useAction();
  const groups = groupsOf(text);
  const preview = () =>
    run(async (signal) => {
      const change: KnowledgeChange = { kind: 'put_synonyms', groups };
      const { data } = await http.post<KnowledgeCheck>('/api/knowledge/check', change, { signal });
      setCheck({ text, result: data });
    });
  const save = () =>
    run(async () => {
      const body: SynonymChange = { revision, groups };
      const { data } = await http.put<SynonymList>(URL, body);
      toasts.show({ kind: 'success', text: t('synonyms.saved') });
      client.setQueryData(['synonyms'], data);
      setCheck(null);
      // The editor may have continued to type meanwhile.
      setDraft((now) => (now && now.text !== text ? { ...now, revision: data.revision } : null));
    });
  const shown = check?.text === text ? check.result : null;
  return (
    <>
      <TextField
        label={t('synonyms.label')}
        rows={12}
        spellCheck={false}
        value={text}
        placeholder={t('synonyms.hint')}
        note={t('synonyms.about')}
        fault={
          failure?.status === 409
            ? t('synonyms.stale')
            : failure?.status === 400
              ? t('synonyms.wrong')
              : failure?.message
        }
        onText={(next) => setDraft({ text: next, revision })}
      />
      <div className="line wrap mt-s3 mb-s3">
        <Button look="small" label={t('synonyms.preview')} isOff={isBusy || !isChanged} onClick={preview} />
        <Button look="small primary" label={t('save')} isOff={isBusy || !isChanged} onClick={save} />
        {isChanged && <Button look="small bare" label={t('pair.discard')} onClick={() => setDraft(null)} />}
        <span role="status" className="quiet">
          {isBusy && t('check.running')}
        </span>
      </div>
      <div role="status">{shown && <Preview check={shown} />}</div>
    </>
  );
}

function Preview({ check }: { check: KnowledgeCheck }) {
  const t = useTexts(knowledgeTexts);
  const { unanswered = [], golden, changed } = check;
  if (unanswered.length + golden.length + changed.length === 0)
    return <p className="quiet">{t('synonyms.same')}</p>;
  return (
    <>
      {unanswered.length > 0 && (
        <ChangedQuestions title={t('synonyms.unanswered', { count: unanswered.length })} changes={unanswered}>
          {(change) => <AnswerChange {...change} />}
        </ChangedQuestions>
      )}
      <ChangedAnswers check={check} />
    </>
  );
}

/** Separators of words. The tabulator allows pasting a table with one group per row. */
const SEPARATOR = /[,，、;；\t|]/u;

/** The groups of a text; lines without words are left out. */
function groupsOf(text: string): string[][] {
  return text
    .split(/\r?\n/u)
    .map((line) => line.split(SEPARATOR).map((word) => word.trim().replace(/^"(.*)"$/u, '$1')))
    .map((words) => words.filter((word) => word !== ''))
    .filter((words) => words.length > 0);
}

function textOf(groups: SynonymList['groups']): string {
  return groups.map((group) => group.join(', ')).join('\n');
}
