"""The headers of replies, compared with what the OWASP Secure Headers Project lists to add and to remove."""

import pytest

# headers_add.json of the project; its other two are of no use here: nobody logs out (Clear-Site-Data), and answers are
# public and may be kept (Cache-Control), except where a file was sent.
ADD = {
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "deny",
    "x-permitted-cross-domain-policies": "none",
}
DIRECTIVES = {"default-src": "'none'", "form-action": "'self'", "base-uri": "'none'", "frame-ancestors": "'none'"}
FEATURES = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "microphone", "payment", "usb")
REMOVE = ("server", "x-powered-by", "x-aspnet-version", "x-runtime", "via", "public-key-pins", "x-xss-protection")
PATHS = {
    "/": 200,
    "/api/v1/elo/expect?rating=1500&opponent=1700": 200,
    "/api/v1/elo/rate?rating=x": 422,
    "/openapi.json": 200,
    "/static/arpad.css": 200,
    "/nowhere": 404,
    "/health": 200,
    "/tournament": 200,
}


@pytest.mark.parametrize("path", PATHS)
def test_every_reply_has_the_headers(client, path):
    """Pages, answers, refusals and files alike."""
    reply = client.get(path)
    assert reply.status_code == PATHS[path]
    assert {name: reply.headers.get(name, "").lower() for name in ADD} == ADD
    policy = dict(part.strip().split(" ", 1) for part in reply.headers["content-security-policy"].split(";"))
    assert {name: policy[name] for name in DIRECTIVES} == DIRECTIVES
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "data:"} & set(" ".join(policy.values()).split())
    allowed = reply.headers["permissions-policy"]
    assert all(f"{feature}=()" in allowed for feature in FEATURES)
    assert not [name for name in REMOVE if name in reply.headers]


def test_over_https_it_stays_https(client):
    """Behind a proxy that ends TLS the browser is told to come back over TLS; over plain HTTP that would be ignored."""
    secure = client.get("https://testserver/health")
    assert secure.headers["strict-transport-security"] == "max-age=31536000"
    assert "strict-transport-security" not in client.get("/health").headers


def test_a_report_that_was_sent_is_kept_by_no_cache(client):
    """What somebody uploaded is theirs."""
    assert client.post("/tournament", data={"system": "elo"}).headers["cache-control"] == "no-store"
