import type { OneTimeLink } from 'api/contract/one-time-links';
import { deskAddress } from 'host/ui/desk-address.ts';
import { Dialog } from 'host/ui/dialog.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { useServices } from '../services.ts';
import { peopleTexts } from '../texts.ts';
import { shownRoles } from './person-row.tsx';

/** Shows a one-time link to give to somebody. It cannot be shown again. `about` explains its effects. */
export function LinkDialog({
  title,
  token,
  about = '',
  onClose,
}: {
  title: string;
  about?: string | undefined;
  token: string;
  onClose(): void;
}) {
  const t = useTexts(peopleTexts);
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
      <TextField
        label={t('link')}
        value={url}
        readOnly
        data-focus-first
        note={t('link.about')}
        onFocus={({ target }) => target.select()}
      >
        {about && <p className="field-note">{about}</p>}
      </TextField>
    </Dialog>
  );
}

/** Creates the link of an invitation. */
export function InviteDialog({ onMade, onClose }: { onMade(token: string): void; onClose(): void }) {
  const t = useTexts(peopleTexts);
  const { http } = useServices();
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
      <TextField
        label={t('role')}
        choices={[['', t('role.none')], ...shownRoles.map((one) => [one, t(`role.${one}`)] as const)]}
        value={role}
        note={t('invite.about')}
        fault={failure?.message}
        onText={setRole}
      />
    </Dialog>
  );
}
