import type { KnowledgeDocumentInfo, TrialQuestion, TriedQuestion } from 'api/contract/knowledge';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { OutcomeMark, SourceMark } from 'host/ui/source-mark.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { SavedAnswer } from '../../lib/saved-answer.tsx';
import { useDesk } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import type { DialogContext } from '../lib/dialog-context.ts';

export interface TryDialogProps extends Pick<DialogContext, 'list' | 'onClose'> {
  /** A draft; questions are answered as if it were published. */
  draft?: KnowledgeDocumentInfo;
}

const MAX_LENGTH = 8000;

/** Shows how a question would be answered, from which passages and why, without storing it. */
export function TryDialog({ draft, list, onClose }: TryDialogProps) {
  const { t, http } = useDesk(knowledgeTexts);
  const [text, setText] = useState('');
  const [as, setAs] = useState('');
  const [tried, setTried] = useState<TriedQuestion | null>(null);
  const { isBusy, failure, run } = useAction();
  const ask = () =>
    run(async () => {
      const body: TrialQuestion = {
        text: text.trim(),
        ...(draft && { draftId: draft.id }),
        ...(as && { as }),
      };
      if (body.text === '') throw new Error(t('try.empty'));
      setTried((await http.post<TriedQuestion>('/api/knowledge/try', body)).data);
    });
  return (
    <ActionDialog
      title={t('try')}
      onClose={onClose}
      onSubmit={() => void (isBusy || ask())}
      cancelLabel={t('close')}
      action={t(isBusy ? 'try.running' : 'try.ask')}
      isOff={isBusy}
    >
      <TextField
        label={t('pair.question')}
        value={text}
        maxLength={MAX_LENGTH}
        note={draft ? t('try.draft', { name: draft.title }) : t('try.about')}
        fault={failure?.message}
        onText={setText}
      />
      {list.collections.length > 1 && (
        <TextField
          label={t('try.as')}
          choices={[
            ['', t('try.as.me')],
            ['guest', t('try.as.guest')],
            ...(list.groups ?? []).map((group) => [group.id, t('try.as.group', group)] as const),
          ]}
          value={as}
          onText={setAs}
        />
      )}
      <div role="status">{tried && <Tried tried={tried} />}</div>
    </ActionDialog>
  );
}

function Tried({ tried }: { tried: TriedQuestion }) {
  const t = useTexts(knowledgeTexts);
  const { answer, source, outcome, unsupported = [], citations, why } = tried;
  const ranked = why?.ranked ?? [];
  return (
    <section className="stack gap-s3 divided" aria-label={t('try.answer')}>
      <p className="line wrap gap-s3">
        <OutcomeMark outcome={outcome} label={t(`try.${outcome}`)} />
        {source !== 'none' && <SourceMark source={source} label={t(`source.${source}`)} />}
      </p>
      <SavedAnswer markdown={answer} />
      {unsupported.length > 0 && (
        <p className="quiet">{t('unsupported', { parts: unsupported.join(' · ') })}</p>
      )}
      {why?.pair && <p className="quiet">{t('try.pair', { question: why.pair.question })}</p>}
      {(ranked.length > 0 || citations.length > 0) && (
        <>
          <h3>{t('try.passages')}</h3>
          <ol className="ruled rule-above">
            {ranked.map((one) => (
              <li className="py-s2 breakable" key={one.href} data-taken={one.taken || undefined}>
                <p className="line wrap">
                  <b dir="auto">
                    {one.place.startsWith(one.title)
                      ? one.place
                      : [one.title, one.place].filter(Boolean).join(' › ')}
                  </b>
                  {one.taken && <span className="tag success">{t('try.taken')}</span>}
                </p>
                <small className="block type-small ink-2">
                  {t('try.covers', { percent: Math.round(one.coverage * 100) })}
                  {one.missing.length > 0 && ` · ${t('try.missing', { words: one.missing.join(' · ') })}`}
                </small>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
