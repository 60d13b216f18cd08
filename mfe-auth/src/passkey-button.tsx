import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser';
import type { AdminReply } from 'api/contract/accounts';
import type { SsoSession } from 'api/contract/single-sign-on';
import type { Http, Toasts, Translate } from 'host/contract';
import { useAction } from 'host/ui/use-action.ts';
import type { LoginTexts } from './login-texts.ts';

interface PasskeyButtonProps {
  http: Http;
  t: Translate<LoginTexts>;
  toasts: Toasts;
  onSignedIn(session: SsoSession): void;
}

/** Signs in with a passkey that the browser offers. Empty in browsers without passkeys, but not in the first state, which would move. */
export function PasskeyButton({ http, t, toasts, onSignedIn }: PasskeyButtonProps) {
  const { isBusy, run } = useAction({ toasts });
  if (typeof window !== 'undefined' && !browserSupportsWebAuthn()) return null;
  const signIn = () =>
    void run(async (signal) => {
      const path = '/admin/passkeys/sign-in';
      const { data: optionsJSON } = await http.post<PublicKeyCredentialRequestOptionsJSON>(
        `${path}/challenge`,
        undefined,
        { signal },
      );
      const credential = await startAuthentication({ optionsJSON }).catch(() => {
        throw new Error(t('passkey.cancelled'));
      });
      const { data } = await http.post<AdminReply<SsoSession>>(path, credential, { signal });
      if (!data.data) throw new Error(data.msg);
      onSignedIn(data.data);
    });
  return (
    <button className="button" type="button" aria-disabled={isBusy || undefined} onClick={signIn}>
      {t('passkey.signIn')}
    </button>
  );
}
