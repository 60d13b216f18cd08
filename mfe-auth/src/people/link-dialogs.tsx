import type { OneTimeLink } from 'api/contract/one-time-links';
import type { Http, Translate } from 'host/contract';
import { deskAddress } from 'host/ui/desk-address.ts';
import { Dialog } from 'host/ui/dialog.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useId, useState } from 'react';
import type { PeopleTexts } from './people-texts.ts';
import { shownRoles } from './person-row.tsx';

/** A one-time link, to be handed over. It is shown once. `about` says what else it does. */
export function LinkDialog({
  title,
  token,
  about = '',
  t,
  onClose,
}: {
  title: string;
  about?: string | undefined;
  token: string;
  t: Translate<PeopleTexts>;
  onClose(): void;
}) {
  const id = useId();
  const [isCopied, setIsCopied] = useState(false);
  const url = window.location.origin + deskAddress(`/chatbot/login#link=${token}`);
  const copy = () =>
    navigator.clipboard?.writeText(url).then(
      () => setIsCopied(true),
      () => undefined,
    );
  return (
    <Dialog
      title={title}
      closeLabel={t('close')}
      onClose={onClose}
      foot={
        <button className="button primary" type="button" onClick={() => void copy()}>
          {t(isCopied ? 'link.copied' : 'link.copy')}
        </button>
      }
    >
      <div className="field">
        <label htmlFor={id}>{t('link')}</label>
        <input
          className="input"
          id={id}
          value={url}
          readOnly
          data-focus-first
          onFocus={({ target }) => target.select()}
        />
        <p className="field-note">{t('link.about')}</p>
        {about && <p className="field-note">{about}</p>}
      </div>
    </Dialog>
  );
}

/** Makes an invitation. */
export function InviteDialog({
  http,
  t,
  onMade,
  onClose,
}: {
  http: Http;
  t: Translate<PeopleTexts>;
  onMade(token: string): void;
  onClose(): void;
}) {
  const id = useId();
  const [role, setRole] = useState('');
  const { isBusy, failure, run } = useAction();
  const make = () =>
    run(async (signal) => {
      const roles = role ? [role] : [];
      const { data } = await http.post<OneTimeLink>('/api/people/invitations', { roles }, { signal });
      onMade(data.token);
    });
  return (
    <Dialog
      title={t('invite')}
      closeLabel={t('close')}
      isBusy={isBusy}
      onClose={onClose}
      foot={
        <button
          className="button primary"
          type="button"
          aria-disabled={isBusy || undefined}
          onClick={() => void make()}
        >
          {t('invite.make')}
        </button>
      }
    >
      <div className="field">
        <label htmlFor={id}>{t('role')}</label>
        <select className="input" id={id} value={role} onChange={({ target }) => setRole(target.value)}>
          <option value="">{t('role.none')}</option>
          {shownRoles.map((one) => (
            <option key={one} value={one}>
              {t(`role.${one}`)}
            </option>
          ))}
        </select>
        <p className={`field-note ${failure ? 'error' : ''}`} role={failure ? 'alert' : undefined}>
          {failure?.message ?? t('invite.about')}
        </p>
      </div>
    </Dialog>
  );
}
