// The part of react-router-dom that host and remotes share at run time (see rxjs.ts).
export {
  BrowserRouter,
  Link,
  Navigate,
  useLocation,
  useNavigate,
  useSearchParams,
} from 'router-real';
