"""Minecraft's server queries: Bedrock's over UDP."""
