"""The published schemas, made strict: a response may have new fields one day, but today it has just those described."""


def closed(schema):
    """A schema whose objects have no further fields."""
    if isinstance(schema, list):
        return [closed(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: closed(inner) for name, inner in schema.items()}
    if "properties" in schema and schema.get("type") == "object":
        found.setdefault("additionalProperties", False)
    return found
