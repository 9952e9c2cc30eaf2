"""Minecraft's server queries: Java's over TCP, Bedrock's over UDP."""
