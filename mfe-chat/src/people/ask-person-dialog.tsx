import { useQuery } from '@tanstack/react-query';
import type { Handover } from 'api/contract/handover';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { useChat } from '../state/chat-context.ts';
import { MAX_QUESTION } from '../state/drafts.ts';
import { handoverTexts, useTexts } from '../state/part-texts.ts';
import { saveReplyDraft } from '../state/reply-draft.ts';
import { type FormSubject, usePersonForm } from './person-form.ts';

/** Maximum length of the contact details in UTF-16 units, as in the API. */
const MAX_CONTACT = 200;

interface AskPersonDialogProps {
  /** By default the conversation as a whole. */
  subject?: FormSubject | undefined;
  onAsked?(): void;
  onClose(): void;
}

/** The form to ask for a person. A failed request leaves everything as it was typed. */
export function AskPersonDialog({ subject, onAsked, onClose }: AskPersonDialogProps) {
  const { services, chat } = useChat();
  const t = useTexts(handoverTexts);
  const [conversationId] = useState(() => chat.consultation.state$.value.conversationId);
  const { form, change, isChanged, clear } = usePersonForm(conversationId, subject ?? null);
  const { isBusy, failure, run } = useAction();
  const field = useRef<HTMLTextAreaElement>(null);
  const contactField = useRef<HTMLInputElement>(null);
  const id = useId();
  const { updates, i18n } = services;
  useEffect(() => (isChanged ? updates.hold() : undefined), [updates, isChanged]);
  useEffect(() => field.current?.focus(), []);

  const question = form.question.trim();
  const contactDetails = form.contactDetails.trim();
  const count = (length: number) => ({ count: length.toLocaleString(i18n.locale()) });
  const [isSubmitted, setIsSubmitted] = useState(false);
  const questionProblem =
    question.length > MAX_QUESTION
      ? t('questionTooLong', count(question.length))
      : isSubmitted && !question && t('questionMissing');
  const contactProblem =
    contactDetails.length > MAX_CONTACT && t('contactTooLong', count(contactDetails.length));

  const finish = (handover: Handover) => {
    clear();
    onAsked?.();
    onClose();
    if (handover.question === question) chat.handovers.announced$.next(t('asked'));
    else {
      // The conversation had an open one already, for example from another tab.
      saveReplyDraft(services.storage, handover.id, [question, contactDetails].filter(Boolean).join('\n'));
      services.toasts.show({ kind: 'info', text: t('askedBefore') });
      chat.handovers.focus$.next(handover.id);
    }
    if (conversationId === null) chat.address$.next(handover.conversationId);
    else chat.consultation.scrollToEnd$.next();
  };
  const submit = async () => {
    setIsSubmitted(true);
    if (!question || question.length > MAX_QUESTION) return field.current?.focus();
    if (contactProblem) return contactField.current?.focus();
    await run(async () =>
      finish(
        await chat.handovers.ask({
          question,
          contactDetails,
          clientId: form.clientId,
          ...(conversationId && { conversationId }),
          ...(subject?.recordId && { recordId: subject.recordId }),
        }),
      ),
    );
  };

  return (
    <ActionDialog
      title={t('title')}
      closeLabel={t('close')}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={() => void submit()}
      cancelLabel={t('cancel')}
      action={t(isBusy ? 'asking' : 'ask')}
    >
      <div>
        <p>{t('intro')}</p>
        <p className="quiet">
          <ExpectedReply />
        </p>
      </div>
      <div className="field">
        <label htmlFor={`${id}-question`}>{t('question')}</label>
        <textarea
          ref={field}
          id={`${id}-question`}
          className="input"
          rows={4}
          dir="auto"
          value={form.question}
          readOnly={isBusy}
          aria-invalid={Boolean(questionProblem)}
          aria-describedby={`${id}-question-note`}
          onChange={({ currentTarget }) => change({ question: currentTarget.value })}
        />
        {questionProblem && (
          <p id={`${id}-question-note`} className="field-note error" role="alert">
            {questionProblem}
          </p>
        )}
      </div>
      <div className="field">
        <label htmlFor={`${id}-contact`}>{t('contactDetails')}</label>
        <input
          ref={contactField}
          id={`${id}-contact`}
          className="input"
          dir="auto"
          value={form.contactDetails}
          readOnly={isBusy}
          aria-invalid={Boolean(contactProblem)}
          aria-describedby={`${id}-contact-note`}
          onChange={({ currentTarget }) => change({ contactDetails: currentTarget.value })}
        />
        <p
          id={`${id}-contact-note`}
          className={`field-note ${contactProblem ? 'error' : ''}`}
          role={contactProblem ? 'alert' : undefined}
        >
          {contactProblem || t('contactHint')}
        </p>
      </div>
      {failure && <Fault>{failure.message}</Fault>}
    </ActionDialog>
  );
}

/** Longer times are shown in hours. */
const MAX_MINUTES = 90;

/** How long a reply usually takes; nothing while that is loading. */
function ExpectedReply() {
  const { chat } = useChat();
  const t = useTexts(handoverTexts);
  const { data, isPending } = useQuery(chat.handovers.responseTime, chat.queries);
  if (isPending) return null;
  const minutes = data?.medianMinutes;
  // Also if it could not be loaded.
  if (minutes === null || minutes === undefined) return t('soon');
  if (minutes > MAX_MINUTES) return t('hours', { count: Math.ceil(minutes / 60) });
  return t('minutes', { count: Math.max(1, Math.ceil(minutes)) });
}
