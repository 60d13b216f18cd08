/** Something that happened while the tab was in the background. */
interface BackgroundNotice {
  /** One line for the notification. */
  title: string;
  body: string;
  /** Notifications with the same tag replace each other. */
  tag: string;
}

const mark = /^\(\d+\) /;
let count = 0;

/**
 * Draws attention to a page whose tab is in the background: shows a number in its title and on the icon of an installed app, and a
 * notification if the visitor has allowed them. Does nothing while the page is visible, and ends when it becomes visible.
 */
export function noticeInBackground({ title, body, tag }: BackgroundNotice): void {
  if (!document.hidden) return;
  if (count === 0) document.addEventListener('visibilitychange', endWhenVisible);
  count += 1;
  show();
  if (notificationPermission() !== 'granted') return;
  try {
    const notification = new Notification(title, { body, tag, lang: document.documentElement.lang });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // Chrome on Android lets only service workers show notifications.
  }
}

/** The browser's permission to show notifications; 'unsupported' also without HTTPS. */
export function notificationPermission(): NotificationPermission | 'unsupported' {
  return 'Notification' in window && window.isSecureContext ? Notification.permission : 'unsupported';
}

function endWhenVisible(): void {
  if (document.hidden) return;
  document.removeEventListener('visibilitychange', endWhenVisible);
  count = 0;
  show();
}

function show(): void {
  const title = document.title.replace(mark, '');
  document.title = count > 0 ? `(${count}) ${title}` : title;
  // This function is missing in Firefox, and rejects unless the app is installed.
  void navigator.setAppBadge?.(count).catch(() => undefined);
}
