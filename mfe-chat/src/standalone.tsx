import 'host/theme.css';
import type { Toast } from 'host/contract';
import { createRoot } from 'react-dom/client';
import { Route, Routes } from 'react-router';
import { BrowserRouter, Navigate } from 'react-router-dom';
import { BehaviorSubject } from 'rxjs';
import ChatScreen from './chat.tsx';
import { StandInControls } from './testing/stand-in-controls.tsx';
import { createStandInDesk } from './testing/stand-in-desk.ts';
import { createStandInServices } from './testing/stand-in-services.ts';
import { useValue } from './use-value.ts';

/** This remote as a page of its own, over a desk that lives in this file's memory. `?records=1000` makes the last conversation long. */
const records = Number(new URLSearchParams(location.search).get('records') ?? 30);
const toast$ = new BehaviorSubject<Toast | null>(null);
const drawn = (shape: string) => `data:image/svg+xml,${encodeURIComponent(shape)}`;

const { services } = createStandInServices({
  answer: createStandInDesk({ longConversation: records }),
  onToast: (toast) => toast$.next(toast),
  avatars: {
    user: drawn(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#d5dfe3"/></svg>',
    ),
    bot: drawn(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6080"/><path d="M9.25 18.5V8.25h6.5M22.75 13.5v10.25h-6.5" fill="none" stroke="#fff" stroke-width="2.5"/></svg>',
    ),
  },
});

function Alone() {
  const language = useValue(services.i18n.language$);
  const theme = useValue(services.theme.choice$);
  const toast = useValue(toast$);
  document.documentElement.dataset.theme = theme;
  return (
    <div className="shell">
      <div className="rail" />
      <ChatScreen
        services={services}
        language={language}
        controls={<StandInControls services={services} />}
      />
      {toast && (
        <section className="toasts" role="status">
          <div className={`toast ${toast.kind}`}>
            <p>{toast.text}</p>
            {toast.action && (
              <button className="button" type="button" onClick={toast.action.run}>
                {toast.action.label}
              </button>
            )}
          </div>
        </section>
      )}
    </div>
  );
}

createRoot(document.getElementById('root')!).render(
  <BrowserRouter>
    <Routes>
      <Route path="/index" element={<Alone />} />
      <Route path="*" element={<Navigate to="/index" replace />} />
    </Routes>
  </BrowserRouter>,
);
