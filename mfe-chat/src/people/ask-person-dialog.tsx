import { useQuery } from '@tanstack/react-query';
import type { Handover } from 'api/contract/handover';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useHold } from 'host/ui/use-hold.ts';
import { useEffect, useRef, useState } from 'react';
import { useChat, usePartTexts } from '../state/chat-context.ts';
import { MAX_QUESTION } from '../state/drafts.ts';
import { handoverTexts } from '../state/part-texts.ts';
import { saveReplyDraft } from '../state/recipient.ts';
import { type FormSubject, usePersonForm } from './person-form.ts';

/** Maximum length of the contact details in UTF-16 units, as in the API. */
const MAX_CONTACT = 200;

export interface AskPersonDialogProps {
  /** What the request is about; by default the whole conversation. */
  subject?: FormSubject | undefined;
  onAsked?(): void;
  onClose(): void;
}

/** The form to ask for a person. A failed request leaves everything as it was typed. */
export function AskPersonDialog({ subject, onAsked, onClose }: AskPersonDialogProps) {
  const { services, chat } = useChat();
  const t = usePartTexts(handoverTexts);
  const [conversationId] = useState(() => chat.consultation.state$.value.conversationId);
  const { form, change, isChanged, clear } = usePersonForm(conversationId, subject ?? null);
  const { isBusy, failure, run } = useAction();
  const field = useRef<HTMLTextAreaElement>(null);
  const contactField = useRef<HTMLInputElement>(null);
  const { updates, i18n } = services;
  useHold(updates, isChanged);
  useEffect(() => field.current?.focus(), []);

  const question = form.question.trim();
  const contactDetails = form.contactDetails.trim();
  const count = (length: number) => ({ count: length.toLocaleString(i18n.locale()) });
  const [isSubmitted, setIsSubmitted] = useState(false);
  const questionProblem =
    question.length > MAX_QUESTION
      ? t('questionTooLong', count(question.length))
      : isSubmitted && !question
        ? t('questionMissing')
        : undefined;
  const contactProblem =
    contactDetails.length > MAX_CONTACT ? t('contactTooLong', count(contactDetails.length)) : undefined;

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
      {...{ isBusy, failure, onClose }}
      onSubmit={submit}
      action={t(isBusy ? 'asking' : 'ask')}
    >
      <div>
        <p>{t('intro')}</p>
        <p className="quiet">
          <ExpectedReply />
        </p>
      </div>
      <TextField
        label={t('question')}
        inputRef={field}
        rows={4}
        value={form.question}
        readOnly={isBusy}
        fault={questionProblem}
        onText={(text) => change({ question: text })}
      />
      <TextField
        label={t('contactDetails')}
        inputRef={contactField}
        value={form.contactDetails}
        readOnly={isBusy}
        note={t('contactHint')}
        fault={contactProblem}
        onText={(text) => change({ contactDetails: text })}
      />
    </ActionDialog>
  );
}

/** Longer times than this are shown in hours. */
const MAX_MINUTES = 90;

/** How long a reply usually takes; nothing while that is loading. */
function ExpectedReply() {
  const { chat } = useChat();
  const t = usePartTexts(handoverTexts);
  const { data, isPending } = useQuery(chat.handovers.responseTime, chat.queries);
  if (isPending) return null;
  const minutes = data?.medianMinutes;
  // The usual time is unknown, or could not be loaded.
  if (minutes === null || minutes === undefined) return t('soon');
  if (minutes > MAX_MINUTES) return t('hours', { count: Math.ceil(minutes / 60) });
  return t('minutes', { count: Math.max(1, Math.ceil(minutes)) });
}
