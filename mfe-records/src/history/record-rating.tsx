import type { DeskRecord } from 'api/contract/records';
import type { FeedbackRequest } from 'api/contract/search';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { type FormEvent, useState } from 'react';
import { useServices } from '../lib/services.ts';
import { historyTexts } from '../lib/texts.ts';
import styles from './detail.module.css';

interface RecordRatingProps {
  record: DeskRecord;
  onChange(feedback: DeskRecord['feedback']): void;
}

const NOTE_MAX = 2000;

/** Rating buttons, shown as pressed immediately, and a note. The second press removes the rating. */
export function RecordRating({ record, onChange }: RecordRatingProps) {
  const t = useTexts(historyTexts);
  const { http, toasts } = useServices();
  const { id, feedback } = record;
  const [draft, setDraft] = useState<string | null>(null);
  /** The text that screen readers announce. */
  const [said, setSaid] = useState('');

  const rate = async (next: DeskRecord['feedback']): Promise<boolean> => {
    onChange(next);
    // An empty note replaces the stored note; a missing one keeps it.
    const body: FeedbackRequest = { recordId: id, ...(next ?? { rating: 0 }) };
    try {
      await http.post('/api/feedback', body);
      return true;
    } catch (error) {
      onChange(feedback);
      toasts.show({ kind: 'error', text: asFailure(error).message });
      return false;
    }
  };
  const press = (rating: 1 | -1) => {
    setDraft(null);
    setSaid(
      feedback?.rating === rating ? t('unrated') : t(rating === 1 ? 'rated.helpful' : 'rated.unhelpful'),
    );
    void rate(feedback?.rating === rating ? null : { rating, note: feedback?.note ?? '' });
  };
  const saveNote = async (event: FormEvent) => {
    event.preventDefault();
    if (!feedback || draft === null) return;
    if (await rate({ ...feedback, note: draft.trim() })) {
      setDraft(null);
      toasts.show({ kind: 'success', text: t('note.saved') });
    }
  };

  return (
    <>
      <fieldset className="cluster" aria-label={t('rating')}>
        <IconButton
          icon="thumb"
          label={t('helpful')}
          aria-pressed={feedback?.rating === 1}
          onClick={() => press(1)}
        />
        <IconButton
          icon="thumb"
          iconClassName="up"
          label={t('unhelpful')}
          aria-pressed={feedback?.rating === -1}
          onClick={() => press(-1)}
        />
        {feedback && draft === null && (
          <Button
            look="small bare"
            label={t(feedback.note ? 'note.edit' : 'note.add')}
            onClick={() => setDraft(feedback.note)}
          />
        )}
      </fieldset>
      <span className="sr" role="status">
        {said}
      </span>
      {feedback?.rating === -1 && <p className={`type-meta ink-2 ${styles.whole}`}>{t('note.visibility')}</p>}
      {feedback?.note && draft === null && (
        <p className={`type-small ink-2 verbatim ${styles.whole}`} dir="auto">
          {feedback.note}
        </p>
      )}
      {feedback && draft !== null && (
        <form className={styles.noteForm} onSubmit={saveNote}>
          <TextField
            label={t('note')}
            rows={2}
            maxLength={NOTE_MAX}
            value={draft}
            autoFocus
            onText={setDraft}
          />
          <Button look="small" label={t('cancel')} onClick={() => setDraft(null)} />
          <Button look="small primary" label={t('save')} type="submit" />
        </form>
      )}
    </>
  );
}
