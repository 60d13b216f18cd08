/*
 * Releases and compositions: /ops/*. Reading is for whoever is signed in or has the ops token; changes need the ops token or one of
 * 30 minutes made of it. A change says what revision of the pointer it was decided on and is refused with 409 `conflict` when the
 * pointer has moved since. Ids of compositions may be given by their first 6 to 64 digits where only one begins so.
 */

/** POST /ops/session, with `Authorization: Bearer <OPS_TOKEN>`. */
export interface OpsSession {
  token: string;
  expiresAt: string;
}

/** One file of a release: a path below its base, bytes, `sha384-…`, and the Content-Type it is served with. */
export interface ReleaseFileInfo {
  path: string;
  size: number;
  integrity: string;
  type: string;
}

export interface ReleaseAssets {
  js: string[];
  css: string[];
}

/**
 * POST /ops/releases, by the ops token or the remote's own release token: a build's release.json with its files described.
 * Answers with `ReleaseClaim`. Then PUT /ops/releases/:id/files/<path> takes the bytes of each missing file, and
 * POST /ops/releases/:id/publish ends it with `ReleaseDetails`, or says 409 `conflict` with the field `files` while some are missing.
 * Everything may be repeated; the same version with other content is 409 `version_taken`. Of a release that is published already,
 * `missing` are files that were lost or garbled since. What an address does not serve as it should is 422 `check_failed`.
 * With `address` the files stay on the team's own origin (one of RELEASE_ORIGINS, with CORS): they are fetched, checked against
 * `files`, and the release is published at once.
 */
export interface ReleaseUpload {
  name: string;
  version: string;
  container: string;
  contract: string;
  entry: string;
  entryFiles: ReleaseAssets;
  exposes: Record<string, ReleaseAssets>;
  shared: Record<string, string>;
  routes: Record<string, string>;
  /** index.html of the host, '' for a remote. */
  template: string;
  styleMarks: Record<string, string>;
  commit: string | null;
  files: Pick<ReleaseFileInfo, 'path' | 'size' | 'integrity'>[];
  /** Absolute, ends with a slash. */
  address?: string;
}

export interface ReleaseClaim {
  id: string;
  /** Paths whose bytes have not come yet. */
  missing: string[];
  publishedAt: string | null;
}

/** GET /ops/releases `?name=&cursor=&limit=` → `{releases, nextCursor}`, newest first. */
export interface ReleaseSummary {
  /** `mfe-chat@1.4.0`. */
  id: string;
  name: string;
  version: string;
  base: string;
  contract: string;
  commit: string | null;
  /** Bytes of all files. */
  size: number;
  fileCount: number;
  /** 'start', 'ops' or the remote whose token it was. */
  publishedBy: string;
  publishedAt: string;
  /** Part of what is live, or of a running canary. */
  isLive: boolean;
}

/** GET /ops/releases/:id. */
export interface ReleaseDetails extends ReleaseSummary {
  entry: string;
  exposes: Record<string, ReleaseAssets>;
  shared: Record<string, string>;
  routes: Record<string, string>;
  files: ReleaseFileInfo[];
}
